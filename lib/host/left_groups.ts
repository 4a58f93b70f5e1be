/**
 * Process groups that outlived the run that started them, each in a file named
 * by its job and claim: `run/left/SEQ.CLAIM`. Whoever runs the job again on this
 * host has to end them first.
 *
 * A name is never used again. A sweep that was suspended between reading a file
 * and removing it could otherwise remove what a later run noted.
 *
 * Few runs leave anything behind, so that nothing is written for most jobs.
 * @module
 */
import type { RecordedGroup } from "./group_records.ts";
import { readExisting, writeNewFile } from "./own_file.ts";
import { ownFolders } from "./own_folder.ts";
import { membersOf } from "./process_group.ts";
import { hostIdentity } from "./process_identity.ts";

/** Files of other hosts and of earlier boots tell nothing here. After a month none of them does. */
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;

const LINE = /^(\d+) (\d+) (\d+) (\d+)$/;

/** So often forgotten groups are looked for: jobs that each leave something for a moment must not fill the folder. */
const NOTES_PER_SWEEP = 256;

export class LeftGroups {
  #notes = 0;
  readonly #storeFolder: string;
  readonly #folder: string;
  /** First line of the files of this host, boot and store: the folder of a copied database has those of the original. */
  readonly #here: string;

  /** `folder`: `<db>.d`. */
  constructor({ folder, identity }: { readonly folder: string; readonly identity: string }) {
    this.#storeFolder = folder;
    this.#folder = `${folder}/run/left`;
    const { boot_id, pid_namespace } = hostIdentity();
    this.#here = `${boot_id} ${pid_namespace} ${identity}`;
  }

  /** The leader of a group has ended: notes which members go on without it, if any. */
  note(seq: number, claim: number, pgid: number): void {
    const members = membersOf([pgid]).get(pgid) ?? [];
    if (members.length === 0) return;
    const lines = members.map(({ pid, start }) => `${claim} ${pgid} ${pid} ${start}\n`).join("");
    ownFolders(this.#storeFolder, "run", "left");
    writeNewFile(`${this.#folder}/${seq}.${claim}`, `${this.#here}\n${lines}`);
    if (++this.#notes % NOTES_PER_SWEEP === 0) this.sweep();
  }

  of(seq: number): readonly RecordedGroup[] {
    return this.#filesOf(seq).flatMap((path) => this.#read(path));
  }

  /** Nothing of them is left. */
  forget(seq: number): void {
    for (const path of this.#filesOf(seq)) removeQuietly(path);
  }

  /** Forgets groups that have ended since. */
  sweep(): void {
    const files = this.#files().map((path) => ({ path, groups: this.#read(path) }));
    const present = membersOf(files.flatMap(({ groups }) => groups.map(({ pgid }) => pgid)));
    for (const { path, groups } of files) {
      const isOver = groups.every(({ pgid }) => present.get(pgid)?.length === 0);
      if (groups.length > 0 ? isOver : Date.now() - mtimeOf(path) > MAX_AGE_MS) removeQuietly(path);
    }
  }

  #filesOf(seq: number): string[] {
    return this.#files().filter((path) => path.startsWith(`${this.#folder}/${seq}.`));
  }

  #files(): string[] {
    try {
      return [...Deno.readDirSync(this.#folder)].map(({ name }) => `${this.#folder}/${name}`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  /** Nothing for a file of another host, boot or store: its numbers mean other processes there. */
  #read(path: string): RecordedGroup[] {
    let text: string;
    try {
      text = readExisting(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
    const [here, ...lines] = text.split("\n");
    if (here !== this.#here) return [];
    const groups = new Map<string, { claim: number; pgid: number; members: { pid: number; start: string }[] }>();
    for (const line of lines) {
      const [, claim, pgid, pid, start = ""] = LINE.exec(line) ?? [];
      if (pid === undefined) continue;
      const key = `${claim} ${pgid}`;
      const group = groups.get(key) ?? { claim: Number(claim), pgid: Number(pgid), members: [] };
      group.members.push({ pid: Number(pid), start });
      groups.set(key, group);
    }
    return [...groups.values()].map((group) => ({ ...group, processStart: "0" }));
  }
}

function mtimeOf(path: string): number {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return Infinity; // somebody else removed it
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was not there, or the folder went away under us.
  }
}
