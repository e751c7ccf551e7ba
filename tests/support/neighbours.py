"""Programs that stand beside tgkeep in tests, and where they are."""
import pathlib
import re
import shutil
import socket
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]


def tool(name):
    """Its path, wherever it is: installed, or unpacked by scripts/clients."""
    unpacked = root / "build/tools/usr"
    return shutil.which(name) or shutil.which(name, path=f"/usr/sbin:/sbin:{unpacked}/bin:{unpacked}/sbin")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Nginx:
    """nginx with deploy/nginx.conf as it is, but for certificate, ports and what needs root. `back` is tgkeep's port."""

    def __init__(self, scratch, back):
        self.port = free_port()
        self.certificate, key = scratch / "certificate.pem", scratch / "key.pem"
        subprocess.run([tool("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
                       check=True, capture_output=True, timeout=60)
        text = (root / "deploy/nginx.conf").read_text()
        for found, instead in ((r"(ssl_certificate) \S+;", rf"\1 {self.certificate};"),
                               (r"(ssl_certificate_key) \S+;", rf"\1 {key};"),
                               (r"server 127\.0\.0\.1:\d+;", f"server 127.0.0.1:{back};"),
                               (r"\n *listen \[::\]:443 ssl;", ""),
                               (r"listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl")):
            text, count = re.subn(found, instead, text)
            if count != 1:
                raise AssertionError(f"deploy/nginx.conf has no {found}")
        temporary = "".join(f"{name}_temp_path {scratch}/{name};\n"
                            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        whole = scratch / "nginx.conf"
        whole.write_text(
            f"daemon off;\nmaster_process off;\npid {scratch}/pid;\nerror_log {scratch}/nginx.log;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}{text}}}\n")
        command = [tool("nginx"), "-e", str(scratch / "nginx.log"), "-p", str(scratch), "-c", str(whole)]
        checked = subprocess.run([*command, "-t"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        if checked.returncode != 0:
            raise AssertionError("nginx -t: " + checked.stdout)
        self._process = subprocess.Popen(command)

    def stop(self):
        self._process.terminate()
        self._process.wait(timeout=20)
