"""A small table with a number, a category and a target, and variants of it."""

HEADER = "age,colour,left"
ROWS = [f"{20 + k},{'red' if k % 3 else 'blue'},{'yes' if k > 9 else 'no'}" for k in range(20)]


def write(text, encoding="utf-8"):
    return lambda path: path.write_text(text, encoding=encoding)


def with_row(row, header=HEADER):
    return write("\n".join([header, *ROWS, row]) + "\n")
