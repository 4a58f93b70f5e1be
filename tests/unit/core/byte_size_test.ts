import { assertEquals, assertThrows } from "@std/assert";
import { formatByteSize, formatByteSizeExact, parseByteSize } from "../../../lib/core/byte_size.ts";
import { InvalidValueError } from "../../../lib/core/errors.ts";

Deno.test("parseByteSize() takes K, M, G and KiB, MiB, GiB as powers of 1024", () => {
  const cases: [unknown, number][] = [
    [512, 512],
    ["512", 512],
    ["512B", 512],
    ["0", 0],
    ["1K", 1_024],
    ["64KiB", 65_536],
    ["10M", 10_485_760],
    ["10MiB", 10_485_760],
    ["10 mib", 10_485_760],
    ["2G", 2_147_483_648],
    ["1TiB", 1_099_511_627_776],
    ["1.5GiB", 1_610_612_736],
  ];
  for (const [value, bytes] of cases) assertEquals(parseByteSize(value), bytes, String(value));
});

Deno.test("parseByteSize() takes KB, MB, GB as powers of 1000", () => {
  assertEquals(parseByteSize("1KB"), 1_000);
  assertEquals(parseByteSize("10MB"), 10_000_000);
  assertEquals(parseByteSize("1.5gb"), 1_500_000_000);
});

Deno.test("parseByteSize() refuses what is not a size", () => {
  for (const value of ["", "MiB", "-1", -1, NaN, "10X", "10MiBs", "1e6", "10 M B", null, undefined, true, {}]) {
    assertThrows(() => parseByteSize(value, "output_limit"), InvalidValueError, "Invalid output_limit");
  }
});

Deno.test("parseByteSize() refuses a size that cannot be counted exactly", () => {
  for (const value of ["8192TiB", Infinity, "9".repeat(400)]) {
    assertThrows(() => parseByteSize(value), InvalidValueError, "expected a size below 8192TiB");
  }
});

Deno.test("formatByteSize() picks the unit and keeps one decimal", () => {
  const cases: [number, string][] = [
    [0, "0B"],
    [1_023, "1023B"],
    [1_024, "1KiB"],
    [1_536, "1.5KiB"],
    [10_485_760, "10MiB"],
    [1_610_612_736, "1.5GiB"],
    [5_000 * 1_024 ** 4, "5000TiB"],
  ];
  for (const [bytes, text] of cases) assertEquals(formatByteSize(bytes), text);
});

Deno.test("formatByteSize() never prints 1024 of a unit that has a larger one", () => {
  assertEquals(formatByteSize(1_024 ** 2 - 1), "1MiB");
  assertEquals(formatByteSize(1_024 ** 3 - 1), "1GiB");
});

Deno.test("formatByteSizeExact() gives what parseByteSize() reads back unchanged", () => {
  const cases: [number, string][] = [[0, "0"], [1_500, "1500"], [10_485_760, "10MiB"], [1_610_612_736, "1536MiB"]];
  for (const [bytes, text] of cases) {
    assertEquals(formatByteSizeExact(bytes), text);
    assertEquals(parseByteSize(text), bytes);
  }
});
