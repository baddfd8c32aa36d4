// The examples of "Signature Calculations for the Authorization Header" (Amazon S3 API Reference).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signS3 } from './sign-s3.ts';

const ACCESS = {
  region: 'us-east-1',
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const NOW = Temporal.Instant.from('2013-05-24T00:00:00Z');
const HOST = 'https://examplebucket.s3.amazonaws.com';
const body = new Uint8Array();

test('a file with a range', () => {
  const url = new URL(`${HOST}/test.txt`);
  const headers = { Range: 'bytes=0-9' };
  assert.match(
    signS3(ACCESS, { method: 'GET', url, body, headers }, NOW).authorization ?? '',
    /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
  );
});

test('a file that is written, with a sign in its name', () => {
  const url = new URL(`${HOST}/test%24file.text`);
  const headers = {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  };
  const written = Buffer.from('Welcome to Amazon S3.');
  assert.match(
    signS3(ACCESS, { method: 'PUT', url, body: written, headers }, NOW).authorization ?? '',
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  );
});

test('a question without a value, and a list', () => {
  const signatureOf = (query: string) =>
    /Signature=(\w+)$/.exec(
      signS3(ACCESS, { method: 'GET', url: new URL(`${HOST}/?${query}`), body }, NOW)
        .authorization ?? '',
    )?.[1];
  assert.equal(
    signatureOf('lifecycle'),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  assert.equal(
    signatureOf('max-keys=2&prefix=J'),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});
