"""Reads what `tgkeep config defaults` prints."""
import re
import subprocess


class Setting:
    """`default` is as TOML; None: it is not set. `section` is "" at the top of the file."""

    def __init__(self, section, name, default, help_text):
        self.section, self.name, self.default, self.help = section, name, default, help_text
        self.key = f"{section}.{name}" if section else name
        self.variable = "TGKEEP_" + self.key.replace(".", "_").upper()


def printed_settings(program):
    """In the order of the file."""
    printed = subprocess.run([program, "config", "defaults"], check=True, capture_output=True, text=True, timeout=60).stdout
    settings, section, help_text = [], "", ""
    for line in printed.splitlines():
        if line == "# [[bot]]":  # an example of several bots ends the file
            break
        if found := re.fullmatch(r"\[([a-z_]+)\]", line):
            section = found[1]
        elif found := re.fullmatch(r"(# )?([a-z_0-9]+) = (.*)", line):
            settings.append(Setting(section, found[2], None if found[1] else found[3], help_text))
        elif line.startswith("# "):
            help_text = line[2:]
    return settings
