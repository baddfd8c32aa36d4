// Loaded into the service before everything else: its loops look often, so that a run lasts seconds
// and not minutes. What is done once in a minute or more is left as it is; nothing else is changed.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const SHORT_MS = 150;
const LONG_MS = 60_000;
const pause = timers.setTimeout;
timers.setTimeout = (ms, ...rest) => pause(ms < LONG_MS ? Math.min(ms, SHORT_MS) : ms, ...rest);
syncBuiltinESMExports();
