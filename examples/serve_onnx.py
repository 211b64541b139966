"""Serve an exported model over HTTP with NumPy and ONNX Runtime alone; rdep is not needed.

    rdep export credit.rdep --onnx credit.onnx            # once, where rdep is installed
    python serve_onnx.py credit.onnx --port 8000          # anywhere
    curl -d '[{"age": 41, "purpose": "new car"}]' http://localhost:8000

A request is a JSON list of rows, each an object from names of columns to values; a column that a
row does not have, or null, is a missing value. The answer has a prediction and the scores of every
row.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from onnxruntime import InferenceSession

MAX_BYTES = 16 << 20


def tensors(session: InferenceSession, rows: list[dict]) -> dict[str, np.ndarray]:
    """One tensor of shape (n, 1) for each input that the graph names."""
    inputs = {item.name: item.type for item in session.get_inputs()}
    unknown = sorted({name for row in rows for name in row} - set(inputs))
    if unknown:
        raise ValueError(f"unknown columns: {unknown}; known: {list(inputs)}")
    feeds = {}
    for name, kind in inputs.items():
        values = [row.get(name) for row in rows]
        if kind == "tensor(string)":
            texts = ["" if value is None else str(value) for value in values]
            feeds[name] = np.array(texts, dtype=object).reshape(-1, 1)
        else:
            numbers = [np.nan if value is None else value for value in values]
            try:
                feeds[name] = np.array(numbers, dtype=np.float64).reshape(-1, 1)
            except (TypeError, ValueError) as error:
                raise ValueError(f"column {name!r} should hold numbers: {error}") from error
    return feeds


def answer(session: InferenceSession, rows) -> list[dict]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ValueError("send a JSON list of objects, one for each row")
    predictions, scores = session.run(None, tensors(session, rows))
    return [
        {"prediction": prediction, "scores": score}
        for prediction, score in zip(predictions.tolist(), scores.tolist(), strict=True)
    ]


def handler(session: InferenceSession) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("Content-Length", 0))
            try:
                if length > MAX_BYTES:
                    raise ValueError(f"send at most {MAX_BYTES} bytes at once")
                status, content = 200, answer(session, json.loads(self.rfile.read(length)))
            except ValueError as error:
                status, content = 400, {"error": str(error)}
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="an ONNX file that `rdep export` has written")
    parser.add_argument("--port", type=int, default=8000, help="0 chooses a free one")
    arguments = parser.parse_args()
    session = InferenceSession(arguments.model)
    server = ThreadingHTTPServer(("localhost", arguments.port), handler(session))
    print(f"http://localhost:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
