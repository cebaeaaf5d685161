/*
 * What bench/peers/mongodb has mongosh do.
 *
 * Copyright (c) 2026, the colj authors
 */

const fs = require('fs');

const batchRows = 10000;
const blockBytes = 1 << 20;

const text = (value) => (value === null || value === undefined ? '' : String(value));

/* The lines of a file that need not fit into memory. */
function* linesOf(path) {
	const file = fs.openSync(path, 'r');
	const decoder = new (require('string_decoder').StringDecoder)('utf8');
	const block = Buffer.alloc(blockBytes);
	let rest = '';
	for (let n; (n = fs.readSync(file, block, 0, blockBytes, null)) > 0;) {
		const lines = (rest + decoder.write(block.subarray(0, n))).split('\n');
		rest = lines.pop();
		yield* lines;
	}
	if (rest)
		yield rest;
	fs.closeSync(file);
}

function load(path) {
	let batch = [];
	db.events.drop();
	for (const line of linesOf(path)) {
		batch.push(JSON.parse(line));
		if (batch.length === batchRows) {
			db.events.insertMany(batch, { ordered: false });
			batch = [];
		}
	}
	if (batch.length > 0)
		db.events.insertMany(batch, { ordered: false });
	return [[db.events.countDocuments()]];
}

const size = () => [[db.events.aggregate([{ $collStats: { storageStats: {} } }]).toArray()[0].storageStats.storageSize]];
const answer = (stages) => db.events.aggregate(stages, { allowDiskUse: true }).toArray().map(Object.values);

function run(task) {
	if (Array.isArray(task))
		return answer(task);
	return task.load ? load(task.load) : size();
}

const task = eval(`(${process.env.PEER_TASK})`);
const rounds = Number(process.env.PEER_ROUNDS);
let rows;
let till = 0;
for (let taken = 0; taken <= rounds || Date.now() < till; taken++) {
	const start = process.hrtime.bigint();
	rows = run(task);
	const ms = Number(process.hrtime.bigint() - start) / 1e6;
	if (taken > 0 || rounds === 0)
		print(`ms ${ms}`);
	else
		till = Date.now() + Number(process.env.PEER_SECONDS) * 1000;
	if (rounds === 0)
		break;
}
print(`answer ${rows.map((row) => `(${row.map(text).join(',')})`).join(' ')}`);
