-- Mails to the people of a merchant, each as he wishes; and how far they were told what happened.
alter table membership add column mails text[];
alter table membership add column mail_language text;
alter table membership add column summarized_until timestamptz;
comment on column membership.mails is 'Kinds of mails that he wants (src/staff/role.ts); null: as his role has it.';
comment on column membership.mail_language is 'In which language, chosen with them; null: that of the pages of the merchant.';
comment on column membership.summarized_until is 'End of the last day that he got a summary of, or before which he wanted none.';
comment on column mail_follow.follower is 'Who reads them: customers, people.';
insert into mail_follow (follower, number)
select 'people', coalesce(max(number), 0) from event;
