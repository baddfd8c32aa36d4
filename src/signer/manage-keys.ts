// What the operator does with the signer's directory while nobody has to wait: making it, adding
// and removing keys and approvers, another passphrase. A running signer knows of it when it is
// started again.

import { existsSync, writeFileSync } from 'node:fs';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { makeDirectory } from '#runtime/private-file.ts';
import { type SealCost, STRONG_SEAL } from '#runtime/sealed-text.ts';
import { newApproverPair } from './approval.ts';
import {
  changeSignerKeys,
  createSignerKeys,
  openSignerKeys,
  type SignerSecrets,
  sealApproverSecret,
} from './key-file.ts';
import type { KeyFamilies, NewKey, ShownKey } from './open-key.ts';
import { FIRST_SETTINGS } from './rules.ts';
import { signerFiles } from './run-signer.ts';

type OpenedDirectory = {
  readonly directory: string;
  readonly passphrase: string;
  readonly random: Random;
  readonly families: KeyFamilies;
  /** STRONG_SEAL unless given. */
  readonly cost?: SealCost;
};

/** A key file without keys, and rules that allow nothing. @throws Refusal when there is one. */
export function setUpSigner(opened: OpenedDirectory): void {
  const files = signerFiles(opened.directory);
  makeDirectory(opened.directory, 0o700);
  createSignerKeys(files.keys, opened.passphrase, sealingOf(opened));
  if (!existsSync(files.settings)) writeFileSync(files.settings, FIRST_SETTINGS, { mode: 0o600 });
}

/** Gives the public half. @throws Refusal */
export function addKey(opened: OpenedDirectory, key: NewKey): ShownKey {
  const { families, random } = opened;
  const kept = families.keyToKeep(key, random);
  const { shown } = families.openKey(kept);
  change(opened, (secrets) => {
    if (secrets.keys.some(({ name }) => name === kept.name)) {
      throw new Refusal('conflict', 'signer_key_invalid', `there is a key ${kept.name} already`);
    }
    return { ...secrets, keys: [...secrets.keys, kept] };
  });
  return shown;
}

/** @throws Refusal */
export function listKeys({
  directory,
  passphrase,
  families,
}: OpenedDirectory): readonly ShownKey[] {
  const { keys } = openSignerKeys(signerFiles(directory).keys, passphrase);
  return keys.map((key) => families.openKey(key).shown);
}

/** @throws Refusal when there is none of that name. */
export function removeKey(opened: OpenedDirectory, name: string): void {
  change(opened, (secrets) => ({ ...secrets, keys: without(secrets.keys, name, 'key') }));
}

/** @throws Refusal */
export function changePassphrase(opened: OpenedDirectory, next: string): void {
  change(opened, (secrets) => secrets, next);
}

/**
 * A person who may approve, with a passphrase of their own.
 * @throws Refusal also when the person has the passphrase of the keys: that would be no second one.
 */
export function addApprover(opened: OpenedDirectory, name: string, ownPassphrase: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
    throw refuse('the name has small letters, digits and hyphens, at most 40');
  }
  if (ownPassphrase === opened.passphrase) {
    throw refuse('the passphrase of a second person must be another one than that of the keys');
  }
  const { secret, publicKey } = newApproverPair(opened.random);
  const path = signerFiles(opened.directory).keys;
  const { approvers } = openSignerKeys(path, opened.passphrase);
  if (approvers.some((one) => one.name === name)) throw refuse(`there is an approver ${name}`);
  sealApproverSecret(path, name, secret, ownPassphrase, sealingOf(opened));
  change(opened, (secrets) => {
    return { ...secrets, approvers: [...secrets.approvers, { name, publicKey }] };
  });
}

/** @throws Refusal when there is none of that name. */
export function removeApprover(opened: OpenedDirectory, name: string): void {
  change(opened, (secrets) => {
    return { ...secrets, approvers: without(secrets.approvers, name, 'approver') };
  });
}

/** @throws Refusal */
export function listApprovers({ directory, passphrase }: OpenedDirectory): readonly string[] {
  const { approvers } = openSignerKeys(signerFiles(directory).keys, passphrase);
  return approvers.map(({ name }) => name);
}

/** The key that proves the lines of the log. @throws Refusal */
export function logKeyOf({ directory, passphrase }: OpenedDirectory): string {
  return openSignerKeys(signerFiles(directory).keys, passphrase).logKey;
}

function change(
  opened: OpenedDirectory,
  by: (secrets: SignerSecrets) => SignerSecrets,
  next: string = opened.passphrase,
): void {
  const { keys } = signerFiles(opened.directory);
  changeSignerKeys(keys, opened.passphrase, sealingOf(opened), by, next);
}

function sealingOf({ random, cost = STRONG_SEAL }: OpenedDirectory) {
  return { random, cost };
}

function without<Named extends { readonly name: string }>(
  list: readonly Named[],
  name: string,
  what: string,
): Named[] {
  const left = list.filter((one) => one.name !== name);
  if (left.length < list.length) return left;
  throw new Refusal('missing', 'signer_key_missing', `there is no ${what} ${name}`);
}

function refuse(sentence: string): Refusal {
  return new Refusal('invalid', 'signer_approver_invalid', sentence);
}
