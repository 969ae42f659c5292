#!/usr/bin/env python3
"""Train a small LSTM on handwritten digits and export it to ONNX.

The data are the 1797 8x8 grey images that scikit-learn bundles (load_digits), so nothing is
downloaded. An image is read as a sequence, row by row: T = 8 steps of I = 8 pixels. An LSTM
with 64 hidden units reads the rows and a linear layer turns its last state into 10 scores.

360 images, chosen with equal shares of each digit, are held out: they are never trained on and
choose nothing, and serve only to measure the accuracy that is reported. The seed is fixed and
one thread is used, so a run repeats exactly on the same machine and package versions.

Written to the output folder:
  digits_lstm.onnx      input `pixels` f32 [batch,8,8] in 0..1, output `logits` f32 [batch,10]
  test_pixels.npy       float32 [360,8,8], the held-out images
  test_labels.npy       int64 [360], their digits
  pytorch.json          accuracy of the PyTorch model on them, versions and seed
  pytorch_accuracy.txt  the same as two integers, "correct total", for digits.cpp

Needs the Python packages torch, scikit-learn, numpy and onnx; onnxruntime is used for a check
when it is there. Takes a few seconds on one core.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

ROWS, COLUMNS, CLASSES = 8, 8, 10
MAX_GREY = 16.0  # load_digits stores counts 0..16
TEST_IMAGES = 360
ONNX_OPSET = 17


class DigitsLstm(nn.Module):
    """pixels [N,8,8] -> LSTM over the rows -> logits [N,10] from the last hidden state."""

    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(COLUMNS, hidden, batch_first=True)
        self.classify = nn.Linear(hidden, CLASSES)

    def forward(self, pixels):
        _, (last_hidden, _) = self.lstm(pixels)
        return self.classify(last_hidden[-1])


def load_split(seed):
    """Returns train pixels, test pixels (f32 [n,8,8] in 0..1), train labels, test labels."""
    digits = load_digits()
    pixels = (digits.images / MAX_GREY).astype(np.float32)
    labels = digits.target.astype(np.int64)
    return train_test_split(
        pixels, labels, test_size=TEST_IMAGES, stratify=labels, random_state=seed
    )


def train(model, pixels, labels, options):
    """Trains in place with AdamW, a one-cycle learning rate and a little pixel noise."""
    pixels, labels = torch.from_numpy(pixels), torch.from_numpy(labels)
    batches = -(-len(pixels) // options.batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.rate, total_steps=options.epochs * batches
    )
    model.train()
    for epoch in range(1, options.epochs + 1):
        total_loss = 0.0
        for rows in torch.randperm(len(pixels)).split(options.batch):
            noisy = pixels[rows] + options.noise * torch.randn(len(rows), ROWS, COLUMNS)
            loss = nn.functional.cross_entropy(model(noisy), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total_loss += loss.item() * len(rows)
        if epoch % 10 == 0 or epoch == options.epochs:
            print(f"epoch {epoch:3d}/{options.epochs}  loss {total_loss / len(pixels):.4f}")


def infer(model, pixels):
    """Returns logits [n,10] as a NumPy array."""
    model.eval()
    with torch.no_grad():
        return model(torch.from_numpy(pixels)).numpy()


def count_correct(logits, labels):
    return int((logits.argmax(axis=1) == labels).sum())


def export_onnx(model, path):
    """Writes one self-contained file.

    The TorchScript exporter (dynamo=False) is used because it stores the LSTM weights already in
    ONNX gate order; the newer one leaves that reordering in the graph as Slice and Concat nodes.
    """
    model.eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # dynamo=False is meant
        # The exporter warns about batch 1 whenever the batch axis is open; check_onnx() tries both.
        warnings.filterwarnings("ignore", "Exporting a model to ONNX with a batch_size")
        torch.onnx.export(
            model,
            (torch.zeros(1, ROWS, COLUMNS),),
            str(path),
            input_names=["pixels"],
            output_names=["logits"],
            dynamic_axes={"pixels": {0: "batch"}, "logits": {0: "batch"}},
            opset_version=ONNX_OPSET,
            dynamo=False,
        )


def check_onnx(path, pixels, labels, torch_logits):
    """Runs the file in onnxruntime, when it is installed, and compares it with PyTorch."""
    try:
        import onnxruntime
    except ImportError:
        print("onnxruntime is not installed: the exported file was not checked")
        return
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (logits,) = session.run(["logits"], {"pixels": pixels})
    (first,) = session.run(["logits"], {"pixels": pixels[:1]})
    correct = count_correct(logits, labels)
    error = float(np.abs(logits - torch_logits).max())
    print(f"onnxruntime: {correct}/{len(labels)} correct, logits differ by at most {error:.1e}")
    if correct != count_correct(torch_logits, labels) or error > 1e-4:
        raise SystemExit(f"{path.name}: onnxruntime and PyTorch disagree")
    if np.abs(first - logits[:1]).max() > 1e-4:
        raise SystemExit(f"{path.name}: the answer for one image depends on the batch size")


def write_results(folder, options, pixels, labels, logits):
    correct, total = count_correct(logits, labels), len(labels)
    np.save(folder / "test_pixels.npy", np.ascontiguousarray(pixels, dtype="<f4"))
    np.save(folder / "test_labels.npy", np.ascontiguousarray(labels, dtype="<i8"))
    summary = {
        "test_accuracy": round(correct / total, 4),
        "correct": correct,
        "total": total,
        "torch": torch.__version__.split("+")[0],
        "seed": options.seed,
        "hidden": options.hidden,
        "epochs": options.epochs,
    }
    (folder / "pytorch.json").write_text(json.dumps(summary, indent=4) + "\n")
    (folder / "pytorch_accuracy.txt").write_text(f"{correct} {total}\n")
    print(f"PyTorch: {correct}/{total} correct on held-out images ({100 * correct / total:.2f} %)")


def parse_arguments():
    summary, details = __doc__.split("\n\n", 1)
    parser = argparse.ArgumentParser(
        description=summary,
        epilog=details,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    here = Path(__file__).resolve().parent
    parser.add_argument("--out", type=Path, default=here, metavar="DIR",
                        help="where to write (default: the folder of this script)")
    parser.add_argument("--seed", type=int, default=7, help="default %(default)s")
    parser.add_argument("--hidden", type=int, default=64, help="LSTM units, default %(default)s")
    parser.add_argument("--epochs", type=int, default=60, help="default %(default)s")
    parser.add_argument("--batch", type=int, default=48, help="images a step, default %(default)s")
    parser.add_argument("--rate", type=float, default=5e-3,
                        help="peak learning rate, default %(default)s")
    parser.add_argument("--noise", type=float, default=0.1,
                        help="standard deviation added to pixels, default %(default)s")
    return parser.parse_args()


def main():
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    train_pixels, test_pixels, train_labels, test_labels = load_split(options.seed)
    model = DigitsLstm(options.hidden)
    start = time.perf_counter()
    train(model, train_pixels, train_labels, options)
    print(f"trained on {len(train_labels)} images in {time.perf_counter() - start:.1f} s")

    logits = infer(model, test_pixels)
    write_results(options.out, options, test_pixels, test_labels, logits)
    onnx_path = options.out / "digits_lstm.onnx"
    export_onnx(model, onnx_path)
    print(f"wrote {onnx_path.name}: {onnx_path.stat().st_size} bytes")
    check_onnx(onnx_path, test_pixels, test_labels, logits)


if __name__ == "__main__":
    main()
