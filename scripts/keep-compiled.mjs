// What Node makes of our files at one start serves the next: half of what it costs to load them.
import path from 'node:path';
import process from 'node:process';
import { root } from './setup.mjs';

/**
 * The environment of a program of ours. `npm ci` clears the place with everything beside it. Where
 * it cannot be written, Node does without and says nothing; a place that you set yourself stays.
 */
export function keepCompiled(environment = process.env) {
  const place = path.join(root, 'node_modules', '.cache', 'quittance');
  return { NODE_COMPILE_CACHE: place, ...environment };
}
