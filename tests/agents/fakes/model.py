#!/usr/bin/env python3
"""A model that reads from a script, on the loopback: the three wires that today's agents speak.

    model.py PORT PLAYS LOG

PLAYS is a JSON file: the name of a play -> its turns; a turn is a list of what the model does in it:

    {"say": TEXT}  {"think": TEXT}  {"call": TOOL, "input": {…}}  {"patch": TEXT}  {"wait": SECONDS}  {"status": HTTP}

A prompt that holds `play:NAME` chooses the play; the turn is the number of the model's own turns since then, so the
server keeps no state, and a session may be resumed, forked or repeated. What has no play, or comes after its last turn,
is answered with "nothing more". Each answer costs other numbers of tokens, so that no two sums are alike by chance.
An input `"find:PATTERN"` is what the pattern's group last matched in the request, as a number (an id that the agent gave out).
LOG gets a line per request: what was asked for, and the tokens that were said to be used.
"""
import itertools
import json
import os
import re
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COUNT = itertools.count(1)
CHOICE = re.compile(r"play:([a-z0-9_]+)")


def words(content):
    """The text of a message, whatever shape the wire gives it; results of tools are no text."""
    if isinstance(content, str):
        return content
    texts = []
    for part in content or []:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
    return "\n".join(texts)


def found(value, raw):
    """An input with its `find:` replaced."""
    if isinstance(value, dict):
        return {key: found(item, raw) for key, item in value.items()}
    if isinstance(value, str) and value.startswith("find:"):
        return int((re.findall(value[5:], raw) or ["1"])[-1])
    return value


class Position:
    """Which play, and the how-manieth turn of it: told message by message."""

    def __init__(self):
        self.play, self.turn, self.speaking = None, 0, False
        self.heavy = 0  # tokens that the prompt is said to have on top: an agent compacts when it has many

    def asked(self, text):
        self.speaking = False
        names = CHOICE.findall(text)
        if names:
            self.play, self.turn = names[-1], 0

    def answered(self):
        """A message or item of the model; several in a row are one turn."""
        if self.play and not self.speaking:
            self.turn += 1
        self.speaking = True


def position_messages(request):
    at = Position()
    for message in request.get("messages", []):
        if message.get("role") == "assistant":
            at.answered()
        else:
            at.asked(words(message.get("content")))
    return at


def position_responses(request):
    at = Position()
    for item in request.get("input", []):
        kind = item.get("type", "message")
        if kind.endswith("_output"):
            at.speaking = False
        elif kind == "agent_message" or (kind == "message" and item.get("role") != "assistant"):
            at.asked(json.dumps(item.get("content")))
        else:
            at.answered()
    return at


def position_contents(request):
    at = Position()
    for content in request.get("contents", []):
        if content.get("role") == "model":
            at.answered()
        else:
            at.asked(words(content.get("parts")))
    return at


def event(name, data):
    return f"event: {name}\ndata: {json.dumps(dict(data, type=name))}\n\n"


def call_id(at, number):
    return f"call_{at.play}_{at.turn:02d}_{number}_{os.urandom(3).hex()}"


def answer_messages(request, at, acts, count):
    """Anthropic's Messages: a stream of events, or one object."""
    blocks = []
    for number, act in enumerate(acts):
        if "say" in act:
            blocks.append({"type": "text", "text": act["say"]})
        elif "think" in act:
            blocks.append({"type": "thinking", "thinking": act["think"], "signature": "c2ln"})
        elif "call" in act:
            blocks.append({"type": "tool_use", "id": "toolu_" + call_id(at, number), "name": act["call"], "input": act["input"]})
    usage = {"input_tokens": 100 + count, "cache_creation_input_tokens": 1000 + 2 * count,
             "cache_read_input_tokens": 5000 + 3 * count, "output_tokens": 50 + 5 * count}
    stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    whole = {"id": "msg_" + os.urandom(8).hex(), "type": "message", "role": "assistant", "model": request.get("model"),
             "content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage}
    if not request.get("stream"):
        return "application/json", json.dumps(whole), usage
    begin = dict(whole, content=[], stop_reason=None, usage=dict(usage, output_tokens=1))
    out = [event("message_start", {"message": begin})]
    for index, block in enumerate(blocks):
        empty, deltas = dict(block), []
        if block["type"] == "text":
            empty["text"], deltas = "", [{"type": "text_delta", "text": block["text"]}]
        elif block["type"] == "thinking":
            empty["thinking"], empty["signature"] = "", ""
            deltas = [{"type": "thinking_delta", "thinking": block["thinking"]},
                      {"type": "signature_delta", "signature": block["signature"]}]
        else:
            empty["input"], deltas = {}, [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        out.append(event("content_block_start", {"index": index, "content_block": empty}))
        out += [event("content_block_delta", {"index": index, "delta": delta}) for delta in deltas]
        out.append(event("content_block_stop", {"index": index}))
    out.append(event("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}))
    out.append(event("message_stop", {}))
    return "text/event-stream", "".join(out), usage


def answer_responses(_request, at, acts, count):
    """OpenAI's Responses, as a stream."""
    items = []
    for number, act in enumerate(acts):
        mark = os.urandom(6).hex()
        if "say" in act:
            items.append({"type": "message", "id": "msg_" + mark, "role": "assistant", "status": "completed",
                          "content": [{"type": "output_text", "text": act["say"], "annotations": []}]})
        elif "think" in act:
            items.append({"type": "reasoning", "id": "rs_" + mark, "encrypted_content": "gAAAA" + os.urandom(30).hex(),
                          "summary": [{"type": "summary_text", "text": act["think"]}]})
        elif "patch" in act:
            items.append({"type": "custom_tool_call", "id": "ct_" + mark, "call_id": call_id(at, number),
                          "name": "apply_patch", "input": act["patch"], "status": "completed"})
        elif "call" in act:
            space = {"namespace": act["space"]} if "space" in act else {}
            items.append({"type": "function_call", "id": "fc_" + mark, "call_id": call_id(at, number), "name": act["call"],
                          "arguments": json.dumps(act["input"]), "status": "completed", **space})
    usage = {"input_tokens": 1000 + 2 * count, "input_tokens_details": {"cached_tokens": 400 + count},
             "output_tokens": 50 + 5 * count, "output_tokens_details": {"reasoning_tokens": 7},
             "total_tokens": 1050 + 7 * count}
    response = {"id": "resp_" + os.urandom(8).hex(), "status": "in_progress", "output": []}
    out = [event("response.created", {"response": response})]
    for index, item in enumerate(items):
        for step in ("added", "done"):
            out.append(event("response.output_item." + step, {"output_index": index, "item": item}))
    out.append(event("response.completed", {"response": dict(response, status="completed", output=items, usage=usage)}))
    return "text/event-stream", "".join(out), usage


def answer_contents(request, at, acts, count):
    """Google's generateContent. A question with a schema (who speaks next, which model) is answered so that nothing follows."""
    settings = request.get("generationConfig", {})
    parts = []
    if "responseJsonSchema" in settings or "responseSchema" in settings:
        decided = {"reasoning": "x", "next_speaker": "user", "model_choice": "flash", "complexity_reasoning": "x", "complexity_score": 5}
        parts, acts = [{"text": json.dumps(decided)}], []
    for act in acts:
        if "say" in act:
            parts.append({"text": act["say"]})
        elif "think" in act:
            parts.append({"text": act["think"], "thought": True})
        elif "call" in act:
            parts.append({"functionCall": {"name": act["call"], "args": act["input"]}, "thoughtSignature": "c2ln"})
    prompt = 1000 + 2 * count + at.heavy
    usage = {"promptTokenCount": prompt, "cachedContentTokenCount": 400 + count,
             "candidatesTokenCount": 50 + 5 * count, "thoughtsTokenCount": 7, "totalTokenCount": prompt + 57 + 5 * count}
    body = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": usage, "modelVersion": "scripted", "responseId": os.urandom(6).hex()}
    return "application/json", json.dumps(body), usage


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args):
        pass

    def reply(self, body, kind="application/json", status=200):
        data = body.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def do_HEAD(self):
        self.reply("")

    def do_GET(self):
        self.reply('{"data":[],"models":[]}')

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "zstd":
            raw = subprocess.run(["zstd", "-dc"], input=raw, capture_output=True, check=False).stdout
        try:
            request = json.loads(raw)
        except ValueError:
            request = {}
        if "count_tokens" in self.path:
            return self.reply('{"input_tokens":10}')
        if "countTokens" in self.path:
            return self.reply('{"totalTokens":10}')
        if "/messages" in self.path:
            position, answer = position_messages, answer_messages
        elif self.path.endswith("/responses"):
            position, answer = position_responses, answer_responses
        elif "enerateContent" in self.path:
            position, answer = position_contents, answer_contents
        else:
            return self.reply("{}")
        return self.play(request, raw.decode("utf-8", "replace"), position(request), answer)

    def play(self, request, raw, at, answer):
        if os.environ.get("ANNALS_RAW") and request.get("tools"):
            with open(os.environ["ANNALS_RAW"], "a", encoding="utf-8") as file:
                file.write(json.dumps(request) + "\n")
        with open(self.server.plays, encoding="utf-8") as file:
            turns = json.load(file).get(at.play) if request.get("tools") else None
        acts = [{"say": "nothing more"}]
        if turns and at.turn < len(turns):
            acts = [found(act, raw) for act in turns[at.turn]]
        for act in acts:
            time.sleep(act.get("wait", 0))
            at.heavy = act.get("heavy", at.heavy)
        count = next(COUNT)
        note = {"n": count, "path": self.path.split("?")[0], "play": at.play, "turn": at.turn, "tools": bool(request.get("tools"))}
        status = next((act["status"] for act in acts if "status" in act), None)
        if status:
            body = json.dumps({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded", "code": status}})
            kind, usage = "application/json", None
        else:
            kind, body, usage = answer(request, at, acts, count)
        self.server.log.write(json.dumps(dict(note, status=status or 200, usage=usage)) + "\n")
        if answer is answer_contents and "stream" in self.path and not status:
            kind, body = "text/event-stream", f"data: {body}\r\n\r\n"
        return self.reply(body, kind, status or 200)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.plays = sys.argv[2]
    server.log = open(sys.argv[3], "a", buffering=1, encoding="utf-8")
    server.serve_forever()


if __name__ == "__main__":
    main()
