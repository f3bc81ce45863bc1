import fc, { type AsyncCommand } from "fast-check";
import { submitCommands } from "./commands-of-people";
import { timeCommands } from "./commands-of-time";
import { workerCommands } from "./commands-of-workers";
import type { Model } from "./model";
import type { System } from "./system";

/** Sequences of everything that people, workers and time can do, at most so long. */
export function sequences(mostSteps: number): fc.Arbitrary<Iterable<AsyncCommand<Model, System>>> {
  const [submit, ...otherPeople] = submitCommands;
  const [claim, ...otherWork] = workerCommands;
  // Most of what happens is that something is asked for and made: with as much of everything else, few packets would get anywhere.
  const asked = Array.from({ length: 4 }, () => submit);
  const claimed = Array.from({ length: 5 }, () => claim);
  const commands = [...asked, ...otherPeople, ...claimed, ...otherWork, ...otherWork, ...timeCommands];
  return fc.commands(commands, { maxCommands: mostSteps, size: "max" });
}
