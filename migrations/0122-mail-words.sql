-- What a shop says in its own words in mails to its customers, before and after what the mail says
-- by itself. Without a row a mail is as it is.
create table merchant_mail_words (
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  kind text not null,
  language text not null check (language ~ '^[a-z]{2}$'),
  opening text check (length(opening) between 1 and 500),
  closing text check (length(closing) between 1 and 500),
  primary key (merchant_id, environment, kind, language),
  check (opening is not null or closing is not null)
);
comment on table merchant_mail_words is 'Own words of a merchant in mails to its customers, by kind and language.';
comment on column merchant_mail_words.merchant_id is 'Whose mails.';
comment on column merchant_mail_words.environment is 'test or live.';
comment on column merchant_mail_words.kind is 'Of mails (src/merchant/customer-mails.ts).';
comment on column merchant_mail_words.language is 'In which the mail is written.';
comment on column merchant_mail_words.opening is 'Plain text before what the mail says; null: none.';
comment on column merchant_mail_words.closing is 'Plain text after it; null: none.';
