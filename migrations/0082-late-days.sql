-- How long after its window late money completes a sale by itself (decision 29).

alter table merchant add column late_days integer not null default 36500
  check (late_days between 0 and 36500);
comment on column merchant.late_days is 'Days after the end of its window in which late money completes a sale by itself; 36500 is any time.';
alter table checkout add column late_days integer not null default 36500;
comment on column checkout.late_days is 'Days for late money in force when it was created.';
