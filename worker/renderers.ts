import type { Clock } from "@/server/ports/clock";
import { POOL_LIMITS } from "./renderer/limits";
import { createPool, type Pool } from "./renderer/pool";
import { REQUESTS } from "./renderer/requests";

export interface RendererPools extends Pool {
  readonly render: Pool;
  readonly parse: Pool;
}

/**
 * Opens both pools, and sends each request to the one it belongs to: our own templates here, foreign bytes there. Children reach only what
 * a request names under `directory`, unless they are to read a person's own files wherever these lie. [C203]
 */
export function openRenderers(options: {
  childPath: string;
  directory: string;
  size: number;
  clock: Clock;
  isConfined?: boolean;
}): RendererPools {
  const setting = { isConfined: true, ...options };
  const render = createPool({ name: "render", ...setting, limits: POOL_LIMITS.render });
  const parse = createPool({ name: "parse", ...setting, limits: POOL_LIMITS.parse });
  return {
    render,
    parse,
    ask: (op, request, setting) => (REQUESTS[op].pool === "render" ? render : parse).ask(op, request, setting),
    close: async () => {
      await Promise.all([render.close(), parse.close()]);
    },
    stats: () => parse.stats(),
  };
}
