/**
 * The least that a program can do to add a job: open SQLite, insert one row
 * durably, close. Compiled; the file is its only argument.
 * @module
 */
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(Deno.args[0]!);
database.exec("pragma journal_mode = wal; pragma synchronous = full");
database.exec("create table if not exists jobs (seq integer primary key, command text) strict");
database.prepare("insert into jobs (command) values (?)").run("true");
database.close();
