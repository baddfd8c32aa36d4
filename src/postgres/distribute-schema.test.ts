import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '#test/support/test-database.ts';
import { distributeSchema } from './distribute-schema.ts';

test('a database without Citus is not distributed, and the refusal says what is missing', async () => {
  const { db, close } = await openTestDatabase();
  try {
    await assert.rejects(distributeSchema(db), {
      kind: 'conflict',
      details: ['the database has no Citus: create extension citus, on every node'],
    });
  } finally {
    await close();
  }
});
