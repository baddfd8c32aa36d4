-- A shop offers languages with a region or a script, too: pt-BR, zh-Hans.
alter table merchant_page drop constraint merchant_page_languages_check;
alter table merchant_page add constraint merchant_page_languages_check
  check (cardinality(languages) between 1 and 50
    and array_to_string(languages, ' ') ~ '^[a-z]{2}(-[A-Za-z]{2,4})?( [a-z]{2}(-[A-Za-z]{2,4})?)*$');
