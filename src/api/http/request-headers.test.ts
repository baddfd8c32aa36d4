import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRequestHeaders } from './request-headers.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,12}$/).filter((one) => !/cookie/i.test(one));
/** As the parser gives it: without blanks at its ends. */
const value = fc.stringMatching(/^(?:[!-~]([ -~]{0,30}[!-~])?)?$/);

test('headers of a socket are those that a Headers of them has, however they are written and repeated', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (pairs) => {
      const read = readRequestHeaders({ rawHeaders: pairs.flat() } as unknown as IncomingMessage);
      const known = new Headers(pairs);
      assert.deepEqual([...read].toSorted(), [...known].toSorted());
      for (const [one] of pairs) assert.equal(read.get(one.toLowerCase()), known.get(one));
      assert.equal(read.get('x-nobody-sent-it'), null);
    }),
  );
});
