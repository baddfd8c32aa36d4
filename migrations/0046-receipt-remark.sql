-- Why money in suspense is nobody's, in a sentence for a person, where the network knows more than its code.
create table receipt_remark (
  chain text not null check (chain ~ '^(test|live):[A-Z0-9_]+$'),
  credit_key text not null,
  remark text not null check (remark <> '' and length(remark) <= 300),
  primary key (chain, credit_key)
);
comment on table receipt_remark is 'Why what arrived cannot be told to be anybody''s, in a sentence for a person.';
comment on column receipt_remark.chain is 'The chain.';
comment on column receipt_remark.credit_key is 'What arrived, as in receipt.';
comment on column receipt_remark.remark is 'The sentence.';

alter table bank_entry add column remark text;
comment on column bank_entry.remark is 'Why it was taken for nobody, in a sentence; null for nearly all.';
