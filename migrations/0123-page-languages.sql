-- Which of the languages that there are a merchant offers on its pages.
alter table merchant_page add column languages text[]
  check (cardinality(languages) between 1 and 50
    and array_to_string(languages, ' ') ~ '^[a-z]{2}( [a-z]{2})*$');
comment on column merchant_page.languages is 'Languages that its pages are offered in; null: all.';
