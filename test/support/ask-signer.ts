// Loaded into the service before anything else (--import): it asks the signer for a signature again
// and again, as an executor does, and keeps what it was given. Writes down which process it is.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { openSignerClient } from '#signer/client.ts';
import { readQuestion } from '#signer/protocol.ts';

const { ASK_SIGNER_SOCKET = '', ASK_SIGNER_QUESTION = '', ASK_SIGNER_REPORT = '' } = process.env;
const client = openSignerClient(ASK_SIGNER_SOCKET);
const question = readQuestion(ASK_SIGNER_QUESTION);
const given: string[] = [];

async function askAgain(): Promise<void> {
  if ('faults' in question || question.ask !== 'sign') throw new Error('no question');
  const outcome = await client.sign(question.order);
  if (outcome.outcome === 'SIGNED') given.push(outcome.signedTransaction);
  writeFileSync(ASK_SIGNER_REPORT, JSON.stringify({ pid: process.pid, signed: given.length }));
}

setInterval(() => void askAgain(), 200).unref();
