"""Switches off the generator's dictionary of unknown members for Item, whose own member has the same name."""

import json
import sys

with open(sys.argv[1]) as file:
    contract = json.load(file)
contract["components"]["schemas"]["Item"]["additionalProperties"] = False
with open("own-name.json", "w") as file:
    json.dump(contract, file)
