-- A receiver may be told in the words of another service that its shop was written for (decision 0085).
alter table webhook_endpoint
  add column format text not null default 'QUITTANCE'
    check (format in ('QUITTANCE', 'GREENFIELD', 'COMMERCE'));
comment on column webhook_endpoint.format is
  'How its webhooks are written and signed: as ours, as BTCPay Server''s or as Coinbase Commerce''s.';
