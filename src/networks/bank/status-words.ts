// What codes of banks mean, in the words of the external code sets of ISO 20022
// (ExternalStatusReason1Code and ExternalReturnReason1Code, which share most codes).

const WORDS: ReadonlyMap<string, string> = new Map(
  `
  AC01 incorrect account number
  AC02 invalid debtor account number
  AC03 invalid creditor account number
  AC04 closed account number
  AC05 closed debtor account number
  AC06 blocked account
  AC07 closed creditor account number
  AC13 invalid debtor account type
  AC14 invalid creditor account type
  AG01 transaction forbidden on this type of account
  AG02 invalid bank operation code
  AG03 transaction not supported
  AM01 zero amount
  AM02 not allowed amount
  AM03 not allowed currency
  AM04 insufficient funds
  AM05 duplication
  AM06 too low amount
  AM07 blocked amount
  AM09 wrong amount
  AM10 invalid control sum
  AM12 invalid amount
  AM14 amount exceeds agreed limit
  AM18 invalid number of transactions
  ARDT already returned
  BE01 inconsistent with end customer
  BE04 missing creditor address
  BE05 unrecognised initiating party
  BE06 unknown end customer
  BE07 missing debtor address
  BE08 missing debtor name
  BE10 invalid debtor country
  BE11 invalid creditor country
  BE15 invalid identification code
  BE16 invalid debtor identification code
  BE22 missing creditor name
  CH11 creditor identifier incorrect
  CNOR creditor bank is not registered
  CURR incorrect currency
  CUST requested by customer
  DNOR debtor bank is not registered
  DS02 order cancelled
  DS04 order rejected
  DT01 invalid date
  DU01 duplicate message identification
  DU02 duplicate payment information identification
  DU03 duplicate transaction
  DU04 duplicate end-to-end identification
  DU05 duplicate instruction identification
  ED05 settlement failed
  ERIN option not supported
  FF01 invalid file format
  FF05 invalid local instrument code
  FOCR following cancellation request
  FR01 fraud
  FRAD fraudulent origin
  FRTR final response, mandate cancelled
  MD07 end customer deceased
  MS02 not specified reason, customer generated
  MS03 not specified reason, agent generated
  NARR reason in the text
  NOAS no answer from customer
  NOOR no original transaction received
  RC01 bank identifier incorrect
  RC03 invalid debtor bank identifier
  RC04 invalid creditor bank identifier
  RF01 not unique transaction reference
  RR01 missing debtor account or identification
  RR02 missing debtor name or address
  RR03 missing creditor name or address
  RR04 regulatory reason
  RR06 tax information incorrect
  SL01 specific service offered by debtor agent
  SL02 specific service offered by creditor agent
  TA01 transmission aborted
  TD03 incorrect file structure
  TM01 after cut-off time
  UPAY undue payment`
    .trim()
    .split('\n')
    .map((line) => [line.trim().slice(0, 4), line.trim().slice(5)]),
);

/** The bank refuses a second order for what it has already. */
const DUPLICATES = new Set(['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05']);

type Reason = { readonly code: string | undefined; readonly text: string | undefined };

/** Code, its words, and what the bank adds, as far as there are any. */
export function reasonText({ code, text }: Reason): string {
  const known = code === undefined ? undefined : WORDS.get(code);
  const named = [code, known].filter((part) => part !== undefined).join(' ');
  return [named, text ?? ''].filter((part) => part !== '').join(': ');
}

export function isDuplicate({ code }: Pick<Reason, 'code'>): boolean {
  return code !== undefined && DUPLICATES.has(code);
}
