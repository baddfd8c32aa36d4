-- The signer signs what is converted at the market of a network, where one is asked there: what it
-- says stands beside the draft.
alter table market_draft add column held_up text;
comment on column market_draft.held_up is 'Why whoever signs has not sent it yet; null of what goes, and of what a person was given.';
comment on table market_draft is 'A transaction that a person was given, or the signer was asked, to carry out an order of the house on its network.';
