# SPDX-License-Identifier: GPL-2.0-or-later
"""A headless Chromium, driven through chromedriver by plain HTTP (WebDriver).

It has a profile of its own and no network: it opens files only. Where the
browser or its driver is missing, Browser() ends the test as skipped.
"""
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--force-color-profile=srgb",
]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


class Browser:
    def __init__(self, width=1200, height=900):
        chromium = shutil.which("chromium")
        driver = shutil.which("chromedriver")
        if not chromium or not driver:
            skip("needs chromium and chromedriver")
        self.folder = tempfile.mkdtemp(prefix="fsmatrix-html.")
        self.session = None
        self.process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "HOME": self.folder, "TMPDIR": self.folder})
        try:
            self.url = f"http://127.0.0.1:{self._port()}/session"
            flags = FLAGS + [f"--user-data-dir={self.folder}/profile",
                             f"--window-size={width},{height}"]
            answer = self._post("", {"capabilities": {"alwaysMatch": {
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": chromium, "args": flags},
            }}})
            self.session = "/" + answer["sessionId"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser, its driver and what they left in the group."""
        if self.session:
            try:
                self._call("DELETE", self.session)
            except OSError:
                pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def fresh(self):
        """As at the start: wide, light, and nothing said."""
        self.devtools("Emulation.clearDeviceMetricsOverride")
        self.dark(False)
        self.console()

    def open(self, path):
        self._command("/url", url=f"file://{os.path.realpath(path)}")

    def run(self, script, *args):
        """What the function body `script` returns."""
        return self._command("/execute/sync", script=script, args=list(args))

    def devtools(self, method, **parameters):
        return self._command("/goog/cdp/execute", cmd=method,
                             params=parameters)

    def console(self):
        """What the page has said since the last time, errors or not."""
        return [entry["message"]
                for entry in self._command("/se/log", type="browser")]

    def dark(self, on=True):
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if on else "light"}])

    def narrow(self, width, height=900):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width,
                      height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        """The whole page, as it is laid out now, as PNG."""
        shot = self.devtools("Page.captureScreenshot",
                             captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def pdf(self):
        return base64.b64decode(self.devtools("Page.printToPDF")["data"])

    def _port(self):
        for line in self.process.stdout:
            found = re.search(r"successfully on port (\d+)", line)
            if found:
                return int(found[1])
        raise RuntimeError("chromedriver did not start")

    def _command(self, path, **body):
        return self._post(self.session + path, body)

    def _post(self, path, body):
        return self._call("POST", path, json.dumps(body).encode())

    def _call(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path, body, {"Content-Type": "application/json"},
            method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['message']}") from None
