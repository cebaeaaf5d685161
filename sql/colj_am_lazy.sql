--
-- Lazy documents and values of stripes: whoever takes them gets what a heap
-- table would have given.  Vectors and stripes are small, so that scans change
-- both often.
--
set client_min_messages = warning;
set colj.vector_rows = 64;
set colj.stripe_rows = 320;
create type lazy_pair as (a int, b text);
create type lazy_mood as enum ('sad', 'glad');
create domain lazy_name as text check (value <> '');
create table lazy_h (
	id int, doc colj, t text, n numeric, u uuid, ts timestamptz, f float8, ok bool,
	tags text[], pair lazy_pair, mood lazy_mood, nick lazy_name, nm name, iv interval,
	bin bytea, jb jsonb, vc varchar(20), bp char(8), ip inet, r int4range, other colj
) using heap;
insert into lazy_h select i,
	case when i % 41 = 0 then null
		when i % 37 = 0 then to_colj(i)
		when i % 31 = 0 then '[1, {"k": 5}, "x"]'
		else ('{"k": ' || case when i % 29 = 0 then '"odd"' when i % 23 = 0 then 'null' else (i % 17)::text end ||
			', "s": "text ' || i || '", "o": {"x": ' || i || ', "y": "why ' || i % 5 || '", "deep": {"z": [' || i || ', null]}}' ||
			case when i % 3 = 0 then ', "flag": true' when i % 3 = 1 then ', "flag": "no"' else '' end ||
			case when i % 97 = 0 then ', "rare ' || i || '": {"a": [1, 2]}' else '' end ||
			case when i % 13 = 0 then ', "o2": [1]' else ', "o2": {"p": ' || i / 100.0 || '}' end || '}')::colj end,
	case when i % 7 > 0 then 'text ' || repeat(chr(97 + i % 26), i % 300) end, i / 7.0,
	md5(i::text)::uuid, '2024-01-01 00:00+00'::timestamptz + i * interval '1 minute', i / 3.0, i % 2 = 0,
	case when i % 5 > 0 then array['a' || i, null, 'b'] end, row(i, 'p' || i)::lazy_pair,
	(array['sad', 'glad'])[1 + i % 2]::lazy_mood, 'nick' || i, 'name' || i, i * interval '1 hour',
	decode(md5(i::text), 'hex'), case when i % 11 > 0 then jsonb_build_object('i', i) end,
	'v' || i, 'c' || i % 100, ('10.0.0.' || i % 256)::inet, int4range(i, i + 5),
	to_colj('other ' || i)
from generate_series(1, 1500) i;
create table lazy_c (like lazy_h) using colj;
-- autovacuum may hold rows back for a moment
create function lazy_compact(tab regclass, want bigint) returns bigint language plpgsql as $$
declare
	moved bigint := 0;
begin
	for i in 1..600 loop
		moved := moved + colj_compact(tab);
		exit when moved >= want;
		perform pg_sleep(0.1);
	end loop;
	return moved;
end $$;
insert into lazy_c select * from lazy_h where id <= 1400;
select lazy_compact('lazy_c', 1400);
insert into lazy_c select * from lazy_h where id > 1400;

-- Does a query, in which TBL stands for the table, give the same rows, and some?
create function same(query text) returns text language plpgsql as $$
declare
	h text := format('select q::text from (%s) q', replace(query, 'TBL', 'lazy_h'));
	c text := format('select q::text from (%s) q', replace(query, 'TBL', 'lazy_c'));
	missing bigint;
	extra bigint;
	n bigint;
begin
	execute format('select count(*) from ((%s) except all (%s)) x', h, c) into missing;
	execute format('select count(*) from ((%s) except all (%s)) x', c, h) into extra;
	execute format('select count(*) from (%s) x', c) into n;
	return case when missing = 0 and extra = 0 and n > 0 then 'same'
		else format('%s rows: %s missing, %s too many', n, missing, extra) end;
end $$;

-- single values, present or not, of other types, in residuals
select same('select id, doc->''k'' k, doc->>''k'' t from TBL');
select same('select id, doc->''o'' k, doc->>''o'' t, doc->''o''->''deep'' d, doc->''o''->''deep''->''z''->0 z from TBL');
select same('select id, doc->>''flag'' a, doc->''flag'' b, doc#>>''{o,y}'' c, doc#>''{o,deep,z,1}'' d, doc#>>''{o2,0}'' e, doc#>>''{o2,p}'' f from TBL');
select same('select id, doc->''rare 97'' a, doc->''rare 194''->''a''->1 b, doc->>''none'' c, doc->''o''->''none'' d, doc->''none''->''x'' e from TBL');
select same('select id, doc->0 a, doc->1 b, doc->>2 c, doc->''k''->0 d, doc->''o''->0 e, doc#>''{0}'' f, doc#>''{}'' g, doc#>>''{}'' h from TBL');
select same('select id, doc->(array[''k'',''s'',''o'',''o2'',''flag''])[1 + id % 5] a, doc#>array[''o'', (array[''x'',''y'',''deep''])[1 + id % 3]] b from TBL');
select same('select id, doc[''k''] a, doc[''o''][''deep''][''z''][0] b, doc[''o''][''y''] c from TBL');
select same('select id, (doc->''o''->''x'')::int a, (doc#>>''{o,x}'')::bigint b, (doc->''o2''->''p'')::numeric c from TBL where doc->''o''->''x'' is not null and id % 13 > 0');
select same('select id, doc ? ''k'' a, doc ? ''rare 97'' b, doc ?| array[''o2'',''x''] c, doc ?& array[''k'',''o''] d from TBL');
select same('select id, doc @> ''{"k": 5}'' a, doc @> ''{"o": {"deep": {"z": [null]}}}'' b, doc @> ''{"o": {}}'' c, doc <@ ''{}'' d, ''{"k": 3}'' <@ doc e, doc @> ''[1]'' f, doc @> ''37'' g, doc @> ''{}'' h from TBL');
select same('select id, doc @> colj_build_object(''k'', id % 17) a, doc @> case when id % 2 = 0 then ''{"flag": true}''::colj else ''{"flag": "no", "o": {"y": "why 1"}}'' end b from TBL');
select same('select id, doc @? ''$.o.y'' a, doc @@ ''$.o.x > 700'' b, colj_path_query_first(doc, ''$.o.deep.z[0]'') c from TBL');
select same('select id, colj_typeof(doc) a, colj_typeof(doc->''k'') b, colj_pretty(doc) c, case when colj_typeof(doc) = ''object'' then doc - ''k'' end d, doc || ''{"new": 1}'' e, case when colj_typeof(doc) = ''object'' then doc #- ''{o,deep}'' end f, doc::jsonb g, doc::json::text h from TBL');
select same('select id, k, v from TBL, colj_each(case when colj_typeof(doc) = ''object'' then doc end) as e(k, v)');
select same('select id, colj_array_elements(doc->''o''->''deep''->''z'') from TBL');
select same('select * from TBL');
select same('select doc from TBL');
select same('select id, other, doc, other->>0 from TBL');
select same('select ip, bp, vc, jb->>''i'', bin, iv, nm, nick, mood, (pair).b, tags[1], array_length(tags, 1), upper(r), length(t), n + 1, u from TBL');

-- whoever keeps rows: sorts, hashes, materialization, windows, aggregates
select same('select id, row_number() over (order by doc, id) from TBL');
select same('select id, lag(doc) over (order by id) a, first_value(doc) over (partition by id % 7 order by t, id) b, lead(t, 3) over (order by id desc) c, max(t) over (partition by id % 10) d from TBL');
select same('select doc, count(*) from TBL group by doc');
select same('select distinct doc->''o''->''deep'', t from TBL');
select same('select doc->>''k'', sum(id), min(doc->>''s''), max(t), min(n), max(u::text) from TBL group by 1');
select same('select array_agg(doc order by id) a, colj_agg(doc order by id)::text b, string_agg(t, '','' order by id) c, colj_object_agg(id, doc)::text d from TBL group by id % 10');
select same('select id % 5, grouping(doc->>''k''), doc->>''k'', count(*) from TBL group by grouping sets ((1, 3), (1), ())');
set enable_hashagg = off;
select same('select doc->>''k'', sum((doc->''o''->>''x'')::int), count(distinct doc), (array_agg(doc order by id desc))[1] from TBL group by 1');
reset enable_hashagg;
set work_mem = '64kB';
select same('select a.id, a.doc, b.doc->''k'' from TBL a join TBL b on a.doc->''o''->''x'' = b.doc->''o''->''x''');
select same('select id, doc, t from TBL order by t, id offset 100 limit 900');
reset work_mem;
set enable_hashjoin = off;
select same('select a.id, a.doc, b.doc from TBL a join TBL b on a.t = b.t where a.id < 200');
set enable_mergejoin = off;
select same('select a.id, a.doc, b.doc from TBL a join TBL b on a.doc->''k'' = b.doc->''k'' and a.id % 50 = b.id % 50 where a.id < 300');
reset enable_hashjoin;
reset enable_mergejoin;
select same('with x as materialized (select * from TBL) select x.doc, y.doc as d2 from x join x y on x.id = y.id + 1');
select same('with recursive w as (select id, doc from TBL where id = 1 union all select t.id, t.doc from w join TBL t on t.id = w.id + 70) select * from w');
select same('select id, doc from TBL where id % 2 = 0 union select id, doc from TBL where id % 3 = 0');
select same('select id, doc from TBL except select id, doc from TBL where id % 3 = 0');
select same('select id, (select max(b.doc->>''s'') from TBL b where b.id between a.id and a.id + 3), exists (select from TBL b where b.doc = a.doc and b.id > a.id), array(select b.doc from TBL b where b.id / 10 = a.id / 10 order by b.id) from TBL a where id % 20 = 0');
select same('select id, doc from TBL a where doc->>''k'' in (select b.t from TBL b) or doc->''k'' not in (select b.doc->''k'' from TBL b where b.doc->''k'' is not null and b.id < 5)');
select same('select a.id, l.doc from TBL a, lateral (select b.doc from TBL b where b.id > a.id order by b.id limit 1) l where a.id % 10 = 0');
select same('select row_to_json(x.*)::text, x from TBL x');
select same('select to_colj(x) from (select id, doc, t, other from TBL) x');

-- index builds and scans
create index lazy_c_id on lazy_c (id);
create index lazy_c_k on lazy_c ((doc->>'k'));
create index lazy_c_doc on lazy_c using hash (doc);
create index lazy_c_gin on lazy_c using gin (doc);
create index lazy_c_t on lazy_c (t, n) include (u) where ok;
create index lazy_c_trgm on lazy_c using spgist (t);
set enable_seqscan = off;
select same('select * from TBL where id between 300 and 500');
select same('select id, doc from TBL where doc->>''k'' = ''5''');
select same('select id, doc from TBL where doc = (select b.doc from TBL b where id = 333)');
select same('select id, doc from TBL where doc @> ''{"flag": true}''');
select same('select t, n, u from TBL where ok and t > ''text c''');
select same('select id, t from TBL where t ^@ ''text dd''');
select same('select a.id, a.doc, b.doc from TBL a join TBL b on b.id = (a.doc->''o''->>''x'')::int + 1 where a.doc->>''k'' = ''3''');
reset enable_seqscan;

-- parallel query
set parallel_setup_cost = 0;
set parallel_tuple_cost = 0;
set min_parallel_table_scan_size = 0;
set max_parallel_workers_per_gather = 2;
select same('select id, doc, t, tags from TBL where id % 3 = 1');
select same('select doc->>''k'', sum((doc->''o''->>''x'')::int), max(t) from TBL group by 1');
reset parallel_setup_cost;
reset parallel_tuple_cost;
reset min_parallel_table_scan_size;
reset max_parallel_workers_per_gather;

-- variables, loops with subtransactions that fail, arguments, cursors
create function lazy_walk(tab regclass) returns setof text language plpgsql as $$
declare
	r record;
	whole lazy_h;
	d colj;
	prior colj;
	all_docs colj[] := '{}';
begin
	for r in execute format('select * from %s order by id', tab) loop
		d := r.doc;
		begin
			if r.id % 50 = 0 then
				perform 1 / 0;
			end if;
			perform count(*) from lazy_c where id < 10 and doc->>'k' = '3';
		exception when division_by_zero then
			return next 'failed ' || r.id;
		end;
		whole := r;
		if r.id % 100 = 0 then
			all_docs := all_docs || d || prior || whole.other;
		end if;
		return next concat(d->>'s', prior->>'s', whole.doc->'o', r.t, whole.tags);
		prior := d;
	end loop;
	return next all_docs::text;
end $$;
select count(*), count(distinct md5(x)) > 1400 from lazy_walk('lazy_c') x;
select count(*) from (select * from lazy_walk('lazy_h') except all select * from lazy_walk('lazy_c')) x;
create function lazy_arg(d colj, x text) returns text language plpgsql as $$
declare
	e colj := d;
begin
	begin
		perform 1 / (length(x) - length(x));
	exception when division_by_zero then
		null;
	end;
	return concat(e->>'s', d->'o'->>'y', x, d::text);
end $$;
create function lazy_give(d colj) returns colj language sql stable as 'select d';
select same('select lazy_arg(doc, t), lazy_give(doc), lazy_give(doc)->''k'' from TBL');
begin;
declare c scroll cursor for select id, doc, t from lazy_c order by id;
fetch absolute 500 from c;
fetch backward 2 from c;
declare d scroll cursor for select id, doc from lazy_c;
move forward 700 from d;
fetch backward 2 from d;
declare h cursor with hold for select id, doc, nick from lazy_c where id > 997 order by id;
fetch 2 from h;
savepoint s;
select 1 / 0;
rollback to s;
fetch 1 from h;
fetch 1 from d;
commit;
fetch 2 from h;
close h;

-- copies
create table lazy_copy as select * from lazy_c;
select same('select * from TBL') as before, (select count(*) from (select lazy_copy::text from lazy_copy except all select lazy_h::text from lazy_h) x) as differ;
\copy (select * from lazy_c order by id) to program 'md5sum'
\copy (select * from lazy_h order by id) to program 'md5sum'
\copy lazy_c to program 'sort | md5sum'
\copy lazy_h to program 'sort | md5sum'
create table lazy_part (other colj, doc colj, t text, id int) partition by range (id);
create table lazy_part1 (id int, t text, doc colj, other colj) using colj;
alter table lazy_part attach partition lazy_part1 for values from (0) to (2000);
insert into lazy_part select other, doc, t, id from lazy_c;
select lazy_compact('lazy_part1', 1500);
select count(*) from (select other, doc, t, id from lazy_part except all select other, doc, t, id from lazy_h) x;
select count(*) from (select p::text from lazy_part p except all select row(other, doc, t, id)::text from lazy_h) x;

-- changes: what is updated, returned, given to triggers
create function lazy_log() returns trigger language plpgsql as $$
begin
	if tg_when = 'BEFORE' then
		new.other := colj_build_object('was', old.doc->'k', 'old', old.other);
		return new;
	end if;
	insert into lazy_logged values (tg_table_name, old.id, old.doc, new.doc, old.t, old.tags);
	return null;
end $$;
create table lazy_logged (tab text, id int, old colj, new colj, t text, tags text[]);
create function lazy_changed() returns trigger language plpgsql as $$
begin
	insert into lazy_logged select tg_table_name || ' all', o.id, o.doc, n.doc, o.t, n.tags from o join n using (id);
	return null;
end $$;
create trigger a before update on lazy_h for each row execute function lazy_log();
create trigger a before update on lazy_c for each row execute function lazy_log();
create trigger b after update on lazy_h for each row execute function lazy_log();
create trigger b after update on lazy_c for each row execute function lazy_log();
create trigger c after update on lazy_h referencing old table as o new table as n for each statement execute function lazy_changed();
create trigger c after update on lazy_c referencing old table as o new table as n for each statement execute function lazy_changed();
begin;
with u as (update lazy_h set t = 'new' where id % 11 = 0 returning *)
select count(*), md5(string_agg(u::text, ',' order by id)) from u;
with u as (update lazy_c set t = 'new' where id % 11 = 0 returning *)
select count(*), md5(string_agg(u::text, ',' order by id)) from u;
select same('select * from TBL');
update lazy_h set doc = case when colj_typeof(doc) = 'object' then colj_set(doc, '{k}', '"set"') end where id % 10 = 1;
update lazy_c set doc = case when colj_typeof(doc) = 'object' then colj_set(doc, '{k}', '"set"') end where id % 10 = 1;
update lazy_h a set doc = b.doc, t = b.t from lazy_h b where b.id = a.id + 1 and a.id % 10 = 2;
update lazy_c a set doc = b.doc, t = b.t from lazy_c b where b.id = a.id + 1 and a.id % 10 = 2;
merge into lazy_h a using (select id, doc, t from lazy_h where id % 10 = 3) b on a.id = b.id + 1
	when matched and b.doc->>'k' = '5' then delete when matched then update set other = b.doc, t = b.t;
merge into lazy_c a using (select id, doc, t from lazy_c where id % 10 = 3) b on a.id = b.id + 1
	when matched and b.doc->>'k' = '5' then delete when matched then update set other = b.doc, t = b.t;
with d as (delete from lazy_h where id % 10 = 6 returning doc, tags, pair) select md5(string_agg(d::text, ',' order by d::text)) from d;
with d as (delete from lazy_c where id % 10 = 6 returning doc, tags, pair) select md5(string_agg(d::text, ',' order by d::text)) from d;
select same('select * from TBL');
select count(*), count(distinct tab) from lazy_logged;
select count(*) from (select replace(tab, '_h', '_c'), id, old, new, t, tags from lazy_logged where tab ~ '_h'
	except all select tab, id, old, new, t, tags from lazy_logged where tab ~ '_c') x;
rollback;
drop trigger a on lazy_h;
drop trigger a on lazy_c;
drop trigger b on lazy_h;
drop trigger b on lazy_c;
drop trigger c on lazy_h;
drop trigger c on lazy_c;

-- rows that are locked, found by TID, sampled; system columns
begin;
select same('select id, doc from TBL where id % 100 = 7 for update');
select count(*), count(distinct xmin::text), min(xmax::text), max(cmin::text), count(distinct ctid), count(distinct tableoid) from lazy_c where id <= 1400;
select id, doc->>'s' from lazy_c where ctid = (select ctid from lazy_c where id = 600);
select count(*) from (select id, doc, t from lazy_c tablesample system (100) except all select id, doc, t from lazy_h) x;
rollback;

-- documents that are compressed in themselves
create table lazy_packed (id int, doc colj(zstd)) using colj;
insert into lazy_packed select id, doc || colj_build_object('long', repeat('some text ', 100 + id % 50)) from lazy_h where id < 400 and colj_typeof(doc) = 'object';
create table lazy_packed_h using heap as table lazy_packed;
select lazy_compact('lazy_packed', 1) > 0 as compacted;
select count(*), sum(length(doc->>'long')) from lazy_packed;
select count(*) from (select id, doc::text from lazy_packed except all select id, doc::text from lazy_packed_h) x;
drop table lazy_packed, lazy_packed_h;

-- columns that come and go after compaction
alter table lazy_h add late text default 'late', drop tags, add doc2 colj default '{"late": 1}', drop n;
alter table lazy_c add late text default 'late', drop tags, add doc2 colj default '{"late": 1}', drop n;
select same('select *, doc2->>''late'' from TBL');
alter table lazy_c alter id type bigint using id + 0;
alter table lazy_h alter id type bigint using id + 0;
select same('select * from TBL');
alter table lazy_c set access method heap;
select same('select * from TBL');
drop table lazy_h, lazy_c, lazy_copy, lazy_part, lazy_logged cascade;
drop type lazy_pair, lazy_mood cascade;
drop domain lazy_name cascade;
drop function same, lazy_compact, lazy_walk, lazy_arg, lazy_give, lazy_log, lazy_changed;
