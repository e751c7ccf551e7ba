"""Writes OUT: botapi/schema.json as C++ tables for schema/schema.hpp.

Usage: make_schema.py SCHEMA OUT
"""
import json
import sys

PRIMITIVES = ["int32", "int64", "float", "string", "bool", "true"]
KINDS = {"object": "object", "union": "one_of", "file": "file"}


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


class Tables:
    def __init__(self, schema):
        self.enums = schema["enums"]
        self.numbers = {name: n for n, name in enumerate(PRIMITIVES + list(schema["types"]))}
        self.refs, self.slots, self.subtypes = [], [], []
        self.types = [f"Type({quoted(name)}, Type::Kind::primitive)," for name in PRIMITIVES]
        self.types += [self.type(name, type) for name, type in schema["types"].items()]
        self.methods = [self.method(name, method) for name, method in schema["methods"].items()]

    def ref_range(self, types):
        """Where the numbers of `types` stand among the refs."""
        self.refs += [self.numbers[name] for name in types]
        return f"{len(self.refs) - len(types)}, {len(types)}"

    def slot_range(self, slots):
        for slot in slots:
            sample = slot.get("const") or self.enums.get(slot.get("enum"), [""])[0]
            required = "true" if slot["required"] else "false"
            fixed = "true" if "const" in slot else "false"
            self.slots.append(f"Slot({quoted(slot['name'])}, {self.ref_range(slot['types'])}, {slot['array_depth']}, "
                              f"{required}, {quoted(sample)}, {fixed}),")
        return f"{len(self.slots) - len(slots)}, {len(slots)}"

    def subtype_range(self, subtypes):
        for subtype in subtypes:
            value = subtype.get("value", "")
            self.subtypes.append(f"Subtype({self.numbers[subtype['type']]}, {subtype['array_depth']}, "
                                 f"{quoted(str(value))}, {quoted(','.join(subtype.get('present', [])))}),")
        return f"{len(self.subtypes) - len(subtypes)}, {len(subtypes)}"

    def type(self, name, type):
        if type["kind"] == "object":
            return f"Type({quoted(name)}, Type::Kind::object, {self.slot_range(type['fields'])}),"
        if type["kind"] == "union":
            return (f"Type({quoted(name)}, Type::Kind::one_of, {self.subtype_range(type['subtypes'])}, "
                    f"{quoted(type['discriminator'] or '')}),")
        return f"Type({quoted(name)}, Type::Kind::file),"

    def method(self, name, method):
        returns = method["returns"]
        return (f"MethodSpec({quoted(name)}, {self.slot_range(method['params'])}, "
                f"{self.ref_range(returns['types'])}, {returns['array_depth']}),")

    def text(self):
        lines = ["// Made by make_schema.py from botapi/schema.json.", '#include "emulator/schema/tables.hpp"', "",
                 "namespace tgkeep::emulator::schema {", "", "namespace {", ""]
        lines += ["constexpr std::uint16_t all_refs[] = {", ",".join(map(str, self.refs)), "};", ""]
        for kind, name, rows in [("Slot", "all_slots", self.slots), ("Subtype", "all_subtypes", self.subtypes),
                                 ("Type", "all_types", self.types), ("MethodSpec", "all_methods", self.methods)]:
            lines += [f"constexpr {kind} {name}[] = {{", *rows, "};", ""]
        lines += ["}  // namespace", "", "const Tables& tables() noexcept {",
                  "  static constexpr Tables all(all_refs, all_slots, all_subtypes, all_types, all_methods);",
                  "  return all;", "}", "", "}  // namespace tgkeep::emulator::schema", ""]
        return "\n".join(lines)


def main(schema_path, out_path):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    with open(out_path, "w", encoding="utf-8") as file:
        file.write(Tables(schema).text())


if __name__ == "__main__":
    main(*sys.argv[1:])
