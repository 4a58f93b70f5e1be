import { assertEquals } from "@std/assert";
import {
  describeResult,
  exitCodeOf,
  RUN_OUTCOMES,
  type RunResult,
  shellExitCode,
  signalName,
  signalNumber,
  signalOf,
} from "../../../lib/core/run_result.ts";

interface Case {
  result: RunResult;
  words: string;
  shell: number;
  exitCode: number | null;
  signal: string | null;
}

const CASES: readonly Case[] = [
  { result: { kind: "exited", code: 7 }, words: "exited with code 7", shell: 7, exitCode: 7, signal: null },
  {
    result: { kind: "signalled", signal: "SIGKILL", code: 137 },
    words: "killed by SIGKILL",
    shell: 137,
    exitCode: 137,
    signal: "SIGKILL",
  },
  {
    result: { kind: "timed_out", timeoutMs: 5_000, code: 143, signal: "SIGTERM" },
    words: "timed out after 5s",
    shell: 124,
    exitCode: 143,
    signal: "SIGTERM",
  },
  { result: { kind: "timed_out" }, words: "timed out", shell: 124, exitCode: null, signal: null },
  {
    result: { kind: "not_started", code: 127, reason: "no such file: nope" },
    words: "could not be started: no such file: nope",
    shell: 127,
    exitCode: 127,
    signal: null,
  },
  {
    result: { kind: "cancelled", signal: "SIGTERM" },
    words: "cancelled while running",
    shell: 125,
    exitCode: null,
    signal: "SIGTERM",
  },
  {
    result: { kind: "interrupted", code: 0 },
    words: "interrupted because its worker stopped",
    shell: 125,
    exitCode: 0,
    signal: null,
  },
  { result: { kind: "lost" }, words: "its worker died", shell: 125, exitCode: null, signal: null },
  {
    result: { kind: "lost", reason: "host rebooted" },
    words: "its worker died: host rebooted",
    shell: 125,
    exitCode: null,
    signal: null,
  },
];

Deno.test("describeResult() says in words how a run ended", () => {
  for (const { result, words } of CASES) assertEquals(describeResult(result), words);
});

Deno.test("shellExitCode() gives 124 for a timeout, 128+N for a signal, and 125 for what is our own doing", () => {
  for (const { result, shell } of CASES) assertEquals(shellExitCode(result), shell, result.kind);
});

Deno.test("exitCodeOf() and signalOf() give only what was really seen", () => {
  for (const { result, exitCode, signal } of CASES) {
    assertEquals(exitCodeOf(result), exitCode, result.kind);
    assertEquals(signalOf(result), signal, result.kind);
  }
});

Deno.test("there are ten outcomes of a run", () => {
  assertEquals(
    [...RUN_OUTCOMES].join(" "),
    "succeeded failed timed_out killed cancelled interrupted lost late snoozed not_started",
  );
});

Deno.test("signalNumber() and signalName() agree with Linux", () => {
  const known: [string, number][] = [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGQUIT", 3],
    ["SIGABRT", 6],
    ["SIGKILL", 9],
    ["SIGUSR1", 10],
    ["SIGSEGV", 11],
    ["SIGUSR2", 12],
    ["SIGPIPE", 13],
    ["SIGTERM", 15],
    ["SIGCHLD", 17],
    ["SIGSTOP", 19],
    ["SIGXCPU", 24],
    ["SIGXFSZ", 25],
    ["SIGSYS", 31],
    ["SIGRTMIN", 34],
    ["SIGRTMIN+30", 64],
  ];
  for (const [name, number] of known) {
    assertEquals(signalNumber(name), number, name);
    assertEquals(signalName(number), name);
  }
});

Deno.test("signalNumber() takes names without SIG and in lower case", () => {
  assertEquals(signalNumber("TERM"), 15);
  assertEquals(signalNumber("sigterm"), 15);
});

Deno.test("signalNumber() knows no number for a name that no signal has", () => {
  for (const name of ["", "SIG", "SIGNOPE", "9", "SIGRTMIN+31", "SIGRTMIN+"]) {
    assertEquals(signalNumber(name), undefined, name);
  }
});

Deno.test("signalName() still names a number that no signal has", () => {
  for (const number of [0, 32, 33, 65]) assertEquals(signalName(number), `SIG${number}`);
});
