// Simulated networks, driven with test keys.

import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import { listCheckoutMeta } from '#checkout/list-checkouts.ts';
import { metaView } from '#checkout-settlement/checkout-view.ts';
import type { SandboxPort, SandboxTip } from '#checkout-settlement/sandbox-port.ts';
import { bringAttemptsNearer } from '#event/delivery.ts';
import { decimalToText } from '#money/decimal.ts';
import { fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { bringRulesNearer } from '#settlement-rule/settlement-rule.ts';
import {
  amountAboveZero,
  checkoutReference,
  faulty,
  idField,
  metaAnswer,
  networkField,
  shownId,
  wholeNumber,
} from './shared-fields.ts';

const NAME_MAX = 200;
const PARTS_MAX = 20;
const BLOCKS_MAX = 100;
const DEPTH_MAX = 30;
const SECONDS_MAX = 86_400;
const MINUTES_MAX = 43_200;

const paymentSchema = z
  .object({
    network: z.string(),
    assetId: z.string(),
    amount: z.string(),
    transaction: z.string(),
  })
  .meta({ id: 'SandboxPayment' });
const paymentsSchema = z.object({ payments: z.array(paymentSchema) }).meta({ id: 'SandboxAnswer' });

/** One thing alone instead of all payments of the account. */
const oneThing = {
  checkoutId: omittable(idField.meta({ description: 'Payments of this checkout alone' })),
  depositAddressId: omittable(idField.meta({ description: 'Payments of this address alone' })),
};

const tipSchema = z
  .object({ network: z.string(), height: z.int(), hash: z.string() })
  .meta({ id: 'SandboxTip' });

export const postSandboxPay = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/pay',
  operationId: 'sandboxPay',
  auth: 'create',
  summary: 'Pay a test checkout or a test deposit address on a simulated network',
  request: fields({
    checkoutId: omittable(idField),
    depositAddressId: omittable(idField),
    network: omittable(networkField),
    asset: omittable(textUpTo(NAME_MAX)),
    inAsset: omittable(
      textUpTo(NAME_MAX).meta({
        description:
          'Another asset of the network than the checkout asks for, sent to the same place; ' +
          'with `amount`',
      }),
    ),
    amount: omittable(amountAboveZero),
    parts: omittable(wholeNumber(PARTS_MAX)),
  }).meta({ id: 'SandboxRequest' }),
  response: paymentsSchema,
  async handle(
    app,
    { caller },
    { checkoutId, depositAddressId, network, asset, inAsset, ...input },
  ) {
    const sandbox = requireSandbox(app, caller).within(app.db);
    const amount = input.amount === undefined ? undefined : decimalToText(input.amount);
    const parts = input.parts === undefined ? 1 : Number(input.parts.coefficient);
    if (depositAddressId !== undefined) {
      if (amount === undefined) throw faulty(['amount'], 'is required');
      const payment = { depositAddressId, asset, amount, parts };
      return { payments: await sandbox.payAddress(caller, payment) };
    }
    if (checkoutId === undefined) throw faulty(['checkoutId'], 'is required');
    if (inAsset !== undefined && amount === undefined) throw faulty(['amount'], 'is required');
    const payment = { checkoutId, network, asset, amount, parts, inAsset };
    return { payments: await sandbox.pay(caller, payment) };
  },
});

export const postSandboxMine = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/mine',
  operationId: 'sandboxMine',
  auth: 'create',
  summary: 'Mine your payments on one simulated network, or on all, so many blocks deep',
  request: fields({
    network: omittable(networkField),
    blocks: omittable(wholeNumber(BLOCKS_MAX)),
    ...oneThing,
  }).meta({ id: 'SandboxRequest' }),
  response: z.object({ tips: z.array(tipSchema) }).meta({ id: 'SandboxAnswer' }),
  async handle(app, { caller }, { network, blocks, checkoutId, depositAddressId }) {
    const tips = await requireSandbox(app, caller).mine(caller, {
      network,
      blocks: blocks === undefined ? 1 : Number(blocks.coefficient),
      purposeId: checkoutId ?? depositAddressId,
    });
    return { tips: tips.map(tipView) };
  },
});

export const postSandboxReplace = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/replace',
  operationId: 'sandboxReplace',
  auth: 'create',
  summary: 'Replace the unconfirmed payments of a test checkout',
  request: checkoutReference,
  response: paymentsSchema,
  async handle(app, { caller }, { checkoutId }) {
    return { payments: await requireSandbox(app, caller).replace(caller, { checkoutId }) };
  },
});

export const postSandboxReorg = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/reorg',
  operationId: 'sandboxReorg',
  auth: 'create',
  summary: 'Undo blocks of a simulated network together with your payments in them',
  request: fields({
    network: networkField,
    depth: omittable(wholeNumber(DEPTH_MAX)),
    ...oneThing,
  }).meta({ id: 'SandboxRequest' }),
  response: z.object({ tip: tipSchema }).meta({ id: 'SandboxAnswer' }),
  async handle(app, { caller }, { network, depth, checkoutId, depositAddressId }) {
    const tip = await requireSandbox(app, caller).reorg(caller, {
      network,
      depth: depth === undefined ? 1 : Number(depth.coefficient),
      purposeId: checkoutId ?? depositAddressId,
    });
    return { tip: tipView(tip) };
  },
});

export const postSandboxAdvance = protectedEndpoint({
  method: 'POST',
  operationId: 'sandboxAdvance',
  path: '/sandbox/advance',
  auth: 'create',
  summary:
    'Let time pass for your test data: blocks come, windows end, webhooks and rules fall due',
  request: fields({ minutes: wholeNumber(MINUTES_MAX) }).meta({ id: 'SandboxAdvance' }),
  response: z
    .object({
      minutes: z.int(),
      checkouts: z.int(),
      deliveries: z.int(),
      settlementRules: z.int(),
    })
    .meta({ id: 'SandboxAnswer' }),
  async handle(app, { caller }, input) {
    const sandbox = requireSandbox(app, caller);
    const minutes = Number(input.minutes.coefficient);
    const moved = { merchantId: caller.merchantId, minutes };
    return {
      minutes,
      checkouts: await sandbox.advance(caller, { minutes }),
      deliveries: await bringAttemptsNearer(app, moved),
      settlementRules: await bringRulesNearer(app, moved),
    };
  },
});

export const postSandboxExpire = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/expire',
  operationId: 'sandboxExpire',
  auth: 'create',
  summary: 'End the payment window of a test checkout now',
  request: checkoutReference,
  response: z.object({ checkoutId: shownId, meta: metaAnswer }).meta({ id: 'SandboxAnswer' }),
  async handle(app, { caller }, { checkoutId }) {
    await requireSandbox(app, caller).expire(caller, { checkoutId });
    const meta = (await listCheckoutMeta(app.db, [checkoutId])).get(checkoutId);
    return { checkoutId, ...metaView(meta) };
  },
});

export const postSandboxFreeze = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/freeze',
  operationId: 'sandboxFreeze',
  auth: 'create',
  summary: 'Let the node of a simulated network fall silent for you for a while; 0 wakes it',
  request: fields({ network: networkField, seconds: wholeNumber(SECONDS_MAX, 0) }).meta({
    id: 'SandboxFreeze',
  }),
  response: z.object({ network: z.string(), seconds: z.int() }).meta({ id: 'SandboxFreeze' }),
  async handle(app, { caller }, { network, seconds }) {
    const input = { network, seconds: Number(seconds.coefficient) };
    await requireSandbox(app, caller).freeze(caller, input);
    return input;
  },
});

/** @throws Refusal with a live key, and where there are no simulated networks. */
function requireSandbox(
  app: { readonly sandbox?: SandboxPort | undefined },
  caller: Pick<Caller, 'environment'>,
): SandboxPort {
  if (caller.environment !== 'test') {
    throw new Refusal('forbidden', 'test_key_required', 'the sandbox takes test keys only');
  }
  if (app.sandbox === undefined) {
    throw new Refusal('unavailable', 'sandbox_off', [
      'the simulated networks are switched off on this installation: its operator can set SANDBOX=on',
    ]);
  }
  return app.sandbox;
}

function tipView({ network, height, hash }: SandboxTip) {
  return { network, height: Number(height), hash };
}
