import { assemble } from "./assemble";
import { fetch } from "./fetch";
import { render } from "./render";
import type { Stage } from "./stage";
import { validate } from "./validate";
import { verify } from "./verify";
import { watermark } from "./watermark";

/** The stages between a claim and a publication, in running order. Every kind runs all of them. [C239] */
export const STAGES: readonly Stage[] = [validate, fetch, render, watermark, assemble, verify];
