"""Files that broke on their way: each must give an error that names the file."""

import shutil

from openvino_interchange_lib import rondo_side


def cut(path, share):
    data = path.read_bytes()
    path.write_bytes(data[:int(len(data) * share)])


def replaced(path, old, new):
    text = path.read_text()
    if old not in text:
        raise ValueError(f"{path} has no {old}")
    path.write_text(text.replace(old, new, 1))


DAMAGES = {
    "weights cut": lambda xml, weights: cut(weights, 0.5),
    "weights empty": lambda xml, weights: cut(weights, 0),
    "weights missing": lambda xml, weights: weights.unlink(),
    "XML cut": lambda xml, weights: cut(xml, 0.6),
    "XML empty": lambda xml, weights: cut(xml, 0),
    "no layers": lambda xml, weights: replaced(xml, "<layers>", "<layer>"),
    "another op": lambda xml, weights: replaced(xml, 'type="MatMul"', 'type="Matmool"'),
    "another size": lambda xml, weights: replaced(xml, ' size="', ' size="7'),
    "another offset": lambda xml, weights: replaced(xml, ' offset="', ' offset="99999999'),
    "another shape": lambda xml, weights: replaced(xml, 'element_type="f32" shape="',
                                                   'element_type="f32" shape="3, '),
    "another type": lambda xml, weights: replaced(xml, 'element_type="f32" shape="',
                                                  'element_type="f99" shape="'),
    "an edge to nothing": lambda xml, weights: replaced(xml, 'to-layer="', 'to-layer="99999'),
}


def check(xml, folder, rondo):
    """A line for each damage that Rondo reads, or refuses without naming the file."""
    faults = []
    for name, damage in DAMAGES.items():
        copy = folder / "damaged.xml"
        shutil.copy(xml, copy)
        shutil.copy(xml.with_suffix(".bin"), copy.with_suffix(".bin"))
        try:
            damage(copy, copy.with_suffix(".bin"))
        except ValueError:
            continue
        try:
            rondo.run(copy, [])
            faults.append(f"{xml.name}, {name}: read")
        except rondo_side.Failed as error:
            if "damaged." not in str(error):
                faults.append(f"{xml.name}, {name}: the error names no file: {error}")
    return faults
