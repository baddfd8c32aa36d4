-- What a shop says in its own words on its pages, by language, and in which order its pages say
-- things.
create table merchant_page_words (
  merchant_id text not null references merchant,
  place text not null check (place ~ '^[A-Z_]{1,20}$'),
  language text not null check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$'),
  words text not null check (length(words) between 1 and 500),
  primary key (merchant_id, place, language)
);
comment on table merchant_page_words is 'Own words of a merchant on its pages, by place and language.';
comment on column merchant_page_words.merchant_id is 'Whose pages.';
comment on column merchant_page_words.place is 'Where on a page they stand (src/merchant/customer-mails.ts).';
comment on column merchant_page_words.language is 'In which they are written.';
comment on column merchant_page_words.words is 'Plain text.';

alter table merchant_page
  add column blocks text[] check (cardinality(blocks) between 1 and 10
    and array_to_string(blocks, ' ') ~ '^[a-z]+( [a-z]+)*$');
comment on column merchant_page.blocks is 'In which order the parts of a page come (src/merchant/page-settings.ts); null: the usual one.';
