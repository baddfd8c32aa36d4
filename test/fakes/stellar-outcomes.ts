// What the operations of a transaction do on the fake network: the result as the protocol writes it,
// the fields and the effects as Horizon shows them.

import {
  type Asset,
  Keypair,
  MuxedAccount,
  type Operation,
  StrKey,
  xdr,
} from '@stellar/stellar-base';
import {
  assetFields,
  type FakeEffect,
  type FakeRecord,
  type FakeStellar,
  NATIVE,
  type SendOptions,
  unitsOf,
  unitsText,
} from './stellar-ledger.ts';

export type Outcome = {
  type: string;
  fields: FakeRecord;
  effects: FakeEffect[];
  result: xdr.OperationResultTr;
  isPayment?: boolean;
};

function assetIdOf(asset: Asset): string {
  return asset.isNative() ? NATIVE : `${asset.getCode()}:${asset.getIssuer()}`;
}

/** G... of an address that may be muxed. */
export function accountIdOf(address: string): string {
  return address.startsWith('M')
    ? MuxedAccount.fromAddress(address, '0').baseAccount().accountId()
    : address;
}

function muxedFields(name: string, address: string): FakeRecord {
  if (!address.startsWith('M')) return { [name]: address };
  const muxed = MuxedAccount.fromAddress(address, '0');
  return {
    [name]: muxed.baseAccount().accountId(),
    [`${name}_muxed`]: address,
    [`${name}_muxed_id`]: muxed.id(),
  };
}

function credit(address: string, assetId: string, units: bigint): FakeEffect {
  const account = accountIdOf(address);
  const fields = { ...assetFields(assetId), amount: unitsText(units) };
  const muxed = address.startsWith('M') ? muxedFields('account', address) : {};
  return { account, type: 'account_credited', fields: { ...muxed, ...fields } };
}

function debit(account: string, assetId: string, units: bigint): FakeEffect {
  const fields = { ...assetFields(assetId), amount: unitsText(units) };
  return { account, type: 'account_debited', fields };
}

type Amount = readonly [assetId: string, units: bigint];

function trade(account: string, [sold, soldUnits]: Amount, [bought, units]: Amount): FakeEffect {
  const fields = {
    seller: account,
    offer_id: '1',
    sold_amount: unitsText(soldUnits),
    ...assetFields(sold, 'sold_'),
    bought_amount: unitsText(units),
    ...assetFields(bought, 'bought_'),
  };
  return { account, type: 'trade', fields };
}

export function outcomeOf(
  stellar: FakeStellar,
  operation: Operation,
  source: string,
  options: SendOptions,
): Outcome {
  switch (operation.type) {
    case 'createAccount': {
      const units = unitsOf(operation.startingBalance);
      const created = { starting_balance: unitsText(units) };
      return {
        type: 'create_account',
        fields: { ...created, funder: source, account: operation.destination },
        effects: [
          { account: operation.destination, type: 'account_created', fields: created },
          debit(source, NATIVE, units),
        ],
        result: xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
      };
    }
    case 'payment': {
      const assetId = assetIdOf(operation.asset);
      const units = unitsOf(operation.amount);
      return {
        type: 'payment',
        fields: {
          ...assetFields(assetId),
          from: source,
          ...muxedFields('to', operation.destination),
          amount: unitsText(units),
        },
        effects: [credit(operation.destination, assetId, units), debit(source, assetId, units)],
        result: xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()),
      };
    }
    case 'pathPaymentStrictReceive':
      return pathPayment(source, operation.destination, {
        type: 'path_payment_strict_receive',
        sent: unitsOf(operation.sendMax),
        sentAsset: assetIdOf(operation.sendAsset),
        arrived: unitsOf(operation.destAmount),
        arrivedAsset: operation.destAsset,
        fields: { source_max: operation.sendMax },
      });
    case 'pathPaymentStrictSend':
      return pathPayment(source, operation.destination, {
        type: 'path_payment_strict_send',
        sent: unitsOf(operation.sendAmount),
        sentAsset: assetIdOf(operation.sendAsset),
        arrived: options.arrives ?? marketUnits(stellar, operation) ?? unitsOf(operation.destMin),
        arrivedAsset: operation.destAsset,
        fields: { destination_min: operation.destMin },
      });
    case 'accountMerge': {
      const units = stellar.accounts.get(source)?.lines.get(NATIVE)?.units ?? 0n;
      return {
        type: 'account_merge',
        fields: { account: source, ...muxedFields('into', operation.destination) },
        effects: [
          debit(source, NATIVE, units),
          credit(operation.destination, NATIVE, units),
          { account: source, type: 'account_removed', fields: {} },
        ],
        result: xdr.OperationResultTr.accountMerge(
          xdr.AccountMergeResult.accountMergeSuccess(new xdr.Int64(units)),
        ),
      };
    }
    default:
      return otherOutcome(stellar, operation, source, options);
  }
}

function marketUnits(
  stellar: FakeStellar,
  { sendAsset, sendAmount, destAsset }: Operation.PathPaymentStrictSend,
): bigint | undefined {
  const [give, get] = [assetIdOf(sendAsset), assetIdOf(destAsset)];
  return stellar.market(give, unitsOf(sendAmount), get)?.units;
}

type Path = {
  type: string;
  sent: bigint;
  sentAsset: string;
  arrived: bigint;
  arrivedAsset: Asset;
  fields: FakeRecord;
};

function pathPayment(source: string, destination: string, path: Path): Outcome {
  const { type, sent, sentAsset, arrived, arrivedAsset } = path;
  const assetId = assetIdOf(arrivedAsset);
  const last = new xdr.SimplePaymentResult({
    destination: Keypair.fromPublicKey(accountIdOf(destination)).xdrAccountId(),
    asset: arrivedAsset.toXDRObject(),
    amount: new xdr.Int64(arrived),
  });
  const { OperationResultTr } = xdr;
  return {
    type,
    fields: {
      ...assetFields(assetId),
      from: source,
      ...muxedFields('to', destination),
      amount: unitsText(arrived),
      path: [],
      source_amount: unitsText(sent),
      ...path.fields,
      ...assetFields(sentAsset, 'source_'),
    },
    effects: [
      credit(destination, assetId, arrived),
      debit(source, sentAsset, sent),
      trade(source, [sentAsset, sent], [assetId, arrived]),
    ],
    result:
      type === 'path_payment_strict_send'
        ? OperationResultTr.pathPaymentStrictSend(
            xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(
              new xdr.PathPaymentStrictSendResultSuccess({ offers: [], last }),
            ),
          )
        : OperationResultTr.pathPaymentStrictReceive(
            xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(
              new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [], last }),
            ),
          ),
  };
}

function otherOutcome(
  stellar: FakeStellar,
  operation: Operation,
  source: string,
  options: SendOptions,
): Outcome {
  switch (operation.type) {
    case 'clawback': {
      const assetId = assetIdOf(operation.asset);
      const units = unitsOf(operation.amount);
      return {
        type: 'clawback',
        isPayment: false,
        fields: { ...assetFields(assetId), from: operation.from, amount: unitsText(units) },
        effects: [debit(operation.from, assetId, units)],
        result: xdr.OperationResultTr.clawback(xdr.ClawbackResult.clawbackSuccess()),
      };
    }
    case 'manageSellOffer': {
      const { selling, buying, amount, price } = operation;
      // Taken at once, at this price.
      const bought = (unitsOf(amount) * unitsOf(String(price))) / 10_000_000n;
      const offer = xdr.ManageOfferSuccessResultOffer.manageOfferDeleted();
      const success = new xdr.ManageOfferSuccessResult({ offersClaimed: [], offer });
      return {
        type: 'manage_sell_offer',
        isPayment: false,
        fields: { amount, price: String(price), offer_id: '0' },
        effects: [
          trade(source, [assetIdOf(selling), unitsOf(amount)], [assetIdOf(buying), bought]),
        ],
        result: xdr.OperationResultTr.manageSellOffer(
          xdr.ManageSellOfferResult.manageSellOfferSuccess(success),
        ),
      };
    }
    case 'createClaimableBalance': {
      const claimants = operation.claimants.map(({ destination }) => destination);
      const assetId = assetIdOf(operation.asset);
      const units = unitsOf(operation.amount);
      const balanceId = xdr.ClaimableBalanceId.fromXDR(options.balanceId ?? '', 'hex');
      return {
        type: 'create_claimable_balance',
        isPayment: false,
        fields: {
          asset: assetId === NATIVE ? 'native' : assetId,
          amount: unitsText(units),
          claimants: claimants.map((destination) => ({ destination, predicate: {} })),
        },
        effects: [
          debit(source, assetId, units),
          {
            account: source,
            type: 'claimable_balance_created',
            fields: { asset: assetId, amount: unitsText(units), balance_id: options.balanceId },
          },
          ...claimants.map((account) => ({
            account,
            type: 'claimable_balance_claimant_created',
            fields: { asset: assetId, amount: unitsText(units) },
          })),
        ],
        result: xdr.OperationResultTr.createClaimableBalance(
          xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(balanceId),
        ),
      };
    }
    case 'claimClaimableBalance': {
      const left = stellar.claimables.get(operation.balanceId);
      const { assetId, units } = options.claims ?? left ?? { assetId: NATIVE, units: 1n };
      return {
        type: 'claim_claimable_balance',
        isPayment: false,
        fields: { balance_id: operation.balanceId, claimant: source },
        effects: [
          { account: source, type: 'claimable_balance_claimed', fields: { asset: assetId } },
          credit(source, assetId, units),
        ],
        result: xdr.OperationResultTr.claimClaimableBalance(
          xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess(),
        ),
      };
    }
    case 'invokeHostFunction':
      return contractCall(options);
    case 'manageData':
      return {
        type: 'manage_data',
        isPayment: false,
        fields: { name: operation.name, value: operation.value?.toString('base64') ?? '' },
        effects: [{ account: source, type: 'data_created', fields: { name: operation.name } }],
        result: xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess()),
      };
    default:
      throw new Error(`the fake network has no ${operation.type}`);
  }
}

function contractCall({ contractMoves = [] }: SendOptions): Outcome {
  const classic = (address: string) => StrKey.isValidEd25519PublicKey(address);
  return {
    type: 'invoke_host_function',
    fields: {
      function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
      parameters: [],
      address: '',
      salt: '',
      asset_balance_changes: contractMoves.map(({ from, to, assetId, units, muxedId, kind }) => ({
        ...assetFields(assetId),
        type: kind ?? 'transfer',
        ...(classic(from) ? { from } : {}),
        ...(classic(to) ? { to } : {}),
        amount: unitsText(units),
        ...(muxedId === undefined ? {} : { destination_muxed_id: muxedId.toString() }),
      })),
    },
    effects: contractMoves.flatMap(({ from, to, assetId, units }) => [
      ...(classic(from) ? [debit(from, assetId, units)] : []),
      ...(classic(to) ? [credit(to, assetId, units)] : []),
    ]),
    result: xdr.OperationResultTr.invokeHostFunction(
      xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(Buffer.alloc(32, 9)),
    ),
  };
}
