"""Serve an exported model over HTTP with NumPy and ONNX Runtime only, without rdep.

    rdep export credit.rdep --onnx credit.onnx            # once, where rdep is installed
    python serve_onnx.py credit.onnx --port 8000          # anywhere
    curl -d '[{"age": 41, "purpose": "new car"}]' http://localhost:8000

A request is a JSON list of rows. Each row is an object that maps the names of all columns to
values; null is a missing value. The answer has a prediction for every row, with its scores, or with
the probability of each class if the model is calibrated. A request that does not match the model
gets status 400 and a message: columns that are missing or unknown, texts for numbers, or categories
that the training table does not have.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from onnxruntime import InferenceSession

MAX_BYTES = 16 << 20


def schema_of(session: InferenceSession) -> dict:
    """Schema of the table that the model expects, which `rdep export` writes into the graph."""
    return json.loads(session.get_modelmeta().custom_metadata_map["rdep.schema"])


def tensors(schema: dict, rows: list[dict]) -> dict[str, np.ndarray]:
    """One tensor of shape (n, 1) for each column."""
    names = [column["name"] for column in schema["columns"]]
    for number, row in enumerate(rows, 1):
        unknown = sorted(set(row) - set(names))
        if unknown:
            raise ValueError(f"unknown columns in row {number}: {unknown}; known: {names}")
        missing = [name for name in names if name not in row]
        if missing:
            raise ValueError(
                f"columns that row {number} does not have: {missing}; send null for a missing value"
            )
    return {
        column["name"]: (texts if column["kind"] == "category" else numbers)(column, rows)
        for column in schema["columns"]
    }


def texts(column: dict, rows: list[dict]) -> np.ndarray:
    values = [row[column["name"]] for row in rows]
    found = ["" if value is None else str(value) for value in values]
    for number, text in enumerate(found, 1):
        if text and text not in column["categories"]:
            raise ValueError(
                f"column {column['name']!r} has a category that the model has not seen, {text!r} "
                f"in row {number}; it knows {column['categories']}"
            )
    return np.array(found, dtype=object).reshape(-1, 1)


def numbers(column: dict, rows: list[dict]) -> np.ndarray:
    found = [np.nan if row[column["name"]] is None else row[column["name"]] for row in rows]
    for number, value in enumerate(found, 1):
        if not isinstance(value, int | float):
            raise ValueError(
                f"column {column['name']!r} should hold numbers, but has {value!r} in row {number}"
            )
    return np.array(found, dtype=np.float64).reshape(-1, 1)


def answer(session: InferenceSession, schema: dict, rows) -> list[dict]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ValueError("send a JSON list of objects, one for each row")
    feeds = tensors(schema, rows)
    if [item.name for item in session.get_inputs()] != list(feeds):  # one matrix of numbers
        feeds = {"X": np.hstack(list(feeds.values()))}
    predictions, scores = session.run(None, feeds)
    calibrated = session.get_outputs()[1].name.startswith("probability")
    return [
        {
            "prediction": prediction,
            **(
                {"probabilities": dict(zip(map(str, schema["classes"]), row, strict=True))}
                if calibrated
                else {"scores": row}
            ),
        }
        for prediction, row in zip(predictions.tolist(), scores.tolist(), strict=True)
    ]


def handler(session: InferenceSession) -> type[BaseHTTPRequestHandler]:
    schema = schema_of(session)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("Content-Length", 0))
            try:
                if length > MAX_BYTES:
                    raise ValueError(f"send at most {MAX_BYTES} bytes at once")
                status, content = 200, answer(session, schema, json.loads(self.rfile.read(length)))
            except (ValueError, OverflowError, RecursionError) as error:
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
    parser.add_argument("model", help="ONNX file written by `rdep export`")
    parser.add_argument("--port", type=int, default=8000, help="port; 0 chooses a free one")
    arguments = parser.parse_args()
    session = InferenceSession(arguments.model)
    server = ThreadingHTTPServer(("localhost", arguments.port), handler(session))
    print(f"http://localhost:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
