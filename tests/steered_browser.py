"""A browser steered through its DevTools protocol over two pipes: real key presses and drags, and no network."""

import json
import os
import shutil
import subprocess
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
KEYS = {"Tab": 9, "Enter": 13, " ": 32}


class Chromium:
    """One page in a browser of its own; messages are JSON that ends with a zero byte."""

    def __init__(self, folder: Path, page: Path):
        read_ours, write_theirs = os.pipe()
        read_theirs, write_ours = os.pipe()
        command = [BROWSER, *OPTIONS, f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe"]
        joined = ["bash", "-c", f'exec "$@" 3<&{read_theirs} 4>&{write_theirs}', "bash", *command]
        self.process = subprocess.Popen(
            joined, pass_fds=(read_theirs, write_theirs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(read_theirs)
        os.close(write_theirs)
        self.answers, self.orders = os.fdopen(read_ours, "rb"), os.fdopen(write_ours, "wb")
        self.number, self.session, self.events = 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Page.navigate", url=page.as_uri())
        self.wait("Page.loadEventFired")

    def close(self):
        """End the browser and wait for it."""
        self.orders.close()
        self.process.terminate()
        self.process.wait(timeout=30)
        self.answers.close()

    def receive(self):
        """The next message of the browser."""
        parts = bytearray()
        while (byte := self.answers.read(1)) != b"\0":
            assert byte, "the browser ended"
            parts += byte
        return json.loads(parts)

    def ask(self, method, **parameters):
        """Give an order and return its result; events that come before it are kept."""
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            order["sessionId"] = self.session
        self.orders.write(json.dumps(order).encode() + b"\0")
        self.orders.flush()
        while (message := self.receive()).get("id") != self.number:
            self.events.append(message)
        assert "error" not in message, message
        return message["result"]

    def wait(self, name):
        """The parameters of the next event of a name."""
        while True:
            for place, message in enumerate(self.events):
                if message.get("method") == name:
                    return self.events.pop(place)["params"]
            self.events.append(self.receive())

    def press(self, key):
        """Press a key and let it go."""
        text = {"Enter": "\r", " ": " "}.get(key)
        event = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": KEYS[key]}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def evaluate(self, code):
        """The value of an expression in the page, waited for if it is a promise."""
        told = self.ask("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        return told["result"].get("value")

    def read_verdict(self):
        """The class and the text of the verdict, once there is one."""
        code = """new Promise((done) => { const wait = () => { const said = document.getElementById("verdict");
            if (said.className) done([said.className, said.textContent]); else setTimeout(wait, 5); }; wait(); })"""
        return self.evaluate(code)
