// Which test files came to take far more than they did when this table was written. It is told at the
// end of npm test, and fails nothing: processors differ, and a busy one takes longer for the same.
import fs from 'node:fs';

/**
 * Processor seconds of a file in npm test, with all that it starts but the two database servers;
 * files that are not named take less than `USUAL`.
 */
const COSTS = {
  'src/pages/receipt/paper-pdf.test.ts': 7,
  'src/postgres/embedded-database.test.ts': 11,
  'test/browser/dashboard.test.ts': 12,
  'test/browser/embed-places.test.ts': 8,
  'test/browser/live.test.ts': 11,
  'test/browser/pos.test.ts': 9,
  'test/browser/walk-owner.test.ts': 9,
  'test/nodes/evm-by-hand.test.ts': 12,
  'test/nodes/evm-crashes.test.ts': 12,
  'test/nodes/evm-reorganisations.test.ts': 7,
  'test/nodes/evm-safe.test.ts': 9,
  'test/nodes/evm-sent-by-signer.test.ts': 12,
  'test/nodes/evm-sweep.test.ts': 7,
  'test/nodes/lightning-stories.test.ts': 13,
  'test/nodes/litecoin-by-hand.test.ts': 13,
  'test/nodes/litecoin-crashes.test.ts': 16,
  'test/nodes/litecoin-sent-by-signer.test.ts': 9,
  'test/nodes/litecoin-stories.test.ts': 10,
  'test/nodes/restored.test.ts': 17,
  'test/nodes/separate-processes.test.ts': 11,
  'test/nodes/stellar-crashes.test.ts': 9,
  'test/nodes/xrpl-crashes.test.ts': 12,
  'test/races/signer-process.test.ts': 11,
  'test/scenarios/add-a-network.test.ts': 7,
  'test/scenarios/backup-pipes.test.ts': 13,
  'test/scenarios/bad-starts.test.ts': 8,
  'test/scenarios/bank-by-hand.test.ts': 10,
  'test/scenarios/bank-stories.test.ts': 7,
  'test/scenarios/command-line.test.ts': 8,
  'test/scenarios/customer-mails.test.ts': 8,
  'test/scenarios/dashboard.test.ts': 11,
  'test/scenarios/manual.test.ts': 8,
  'test/scenarios/sandbox-stories.test.ts': 7,
  'test/scenarios/soak.test.ts': 20,
  'test/scenarios/second-start.test.ts': 12,
  'test/scenarios/trade-commands.test.ts': 7,
  'test/scenarios/upgrade.test.ts': 9,
  'test/simulation/simulation.test.ts': 17,
};
const USUAL = 6;
/** What files of a bundle share is a part of all, and belongs to none. */
const SHARED = 'bundle ';
/** All files of npm test together, on the processors of the table. */
const ALL = 1_120;
/** So many times as much as the table says, and so many seconds more, are worth a line. */
const TIMES = 2;
const SECONDS_MORE = 5;
/** Many files that each take a little more are worth one, too. */
const ALL_TIMES = 1.15;

/** The lines that a run left (test/support/note-cost.ts); none where the system does not say. */
export function readCosts(path) {
  if (!fs.existsSync(path)) return new Map();
  const lines = fs.readFileSync(path, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const { file, seconds } = JSON.parse(line);
      return [file, seconds];
    }),
  );
}

/** One line for each, the dearest first. `table` says what was expected on another machine. */
export function findDearFiles(costs, table = COSTS) {
  const pace = paceOf(costs, table);
  return [...costs]
    .filter(([file]) => !file.startsWith(SHARED))
    .map(([file, seconds]) => ({ file, seconds, expected: (table[file] ?? USUAL) * pace }))
    .filter(
      ({ seconds, expected }) => seconds > Math.max(expected * TIMES, expected + SECONDS_MORE),
    )
    .sort((one, other) => other.seconds - one.seconds)
    .map(
      ({ file, seconds, expected }) =>
        `${file}: ${seconds.toFixed(1)} processor seconds, expected about ${expected.toFixed(1)}`,
    );
}

/** A line where all files of a whole run took far more together. */
export function findDearSum(costs, table = COSTS, all = ALL) {
  const sum = [...costs.values()].reduce((before, seconds) => before + seconds, 0);
  const expected = all * paceOf(costs, table);
  return sum > expected * ALL_TIMES
    ? [`all: ${sum.toFixed(0)} processor seconds, expected about ${expected.toFixed(0)}`]
    : [];
}

/** How much slower this machine is than that of the table, by the middle one of what both know. */
function paceOf(costs, table) {
  const ratios = Object.entries(table)
    .filter(([file]) => costs.has(file))
    .map(([file, expected]) => costs.get(file) / expected)
    .sort((one, other) => one - other);
  return ratios[Math.floor(ratios.length / 2)] ?? 1;
}
