// SPDX-License-Identifier: GPL-2.0-or-later
// editor.mjs MODULES SOURCE: what an editor's JSON language server says of a
// matrix by way of its "$schema": completion, explanation, faults.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import assert from 'node:assert';

const [modules, source] = process.argv.slice(2).map((p) => path.resolve(p));
const require = createRequire(path.join(modules, 'index.js'));
const { getLanguageService, TextDocument } =
    require('vscode-json-languageservice');
const service = getLanguageService({
    schemaRequestService: async (uri) =>
        readFileSync(fileURLToPath(uri), 'utf8'),
    workspaceContext: {
        resolveRelativePath: (relative, resource) =>
            new URL(relative, resource).href,
    },
});
service.configure({ validate: true, allowComments: false });

const file = path.join(source, 'matrices', 'fat-vs-ntfs.json');
const example = readFileSync(file, 'utf8');

function open(text) {
    const document = TextDocument.create(pathToFileURL(file).href, 'json', 1,
        text);
    return [document, service.parseJSONDocument(document)];
}

// The text with `from` made `to`; "|" in `to` is the cursor.
function at(from, to) {
    assert(example.includes(from), from);
    const text = example.replace(from, to);
    const offset = text.indexOf('|');
    const [document, json] = open(text.replace('|', ''));
    return [document, document.positionAt(offset), json];
}

async function offers(from, to, ...labels) {
    const list = await service.doComplete(...at(from, to));
    const got = list.items.map((item) => item.label.replaceAll('"', ''));
    for (const label of labels)
        assert(got.includes(label), `${to}: ${label} is not among ${got}`);
    return list.items;
}

async function explains(from, to, words) {
    const hover = await service.doHover(...at(from, to));
    const got = JSON.stringify(hover?.contents ?? null);
    assert(got.includes(words), `${to}: ${got} lacks ${words}`);
}

async function faults(text) {
    const [document, json] = open(text);
    return (await service.doValidation(document, json)).map((d) => d.message);
}

assert.deepEqual(await faults(example), []);
const wrong = await faults(example.replace('"rounds": 5', '"rounds": 0')
    .replace('"type": "xfs"', '"type": "zfs"')
    .replace('"timeout"', '"time"'));
assert.equal(wrong.length, 3, wrong.join('; '));
assert(wrong.some((w) => w.includes('time')), wrong.join('; '));

const members = await offers('"rounds": 5,', '"|",\n  "rounds": 5,',
    'include', 'exclude', 'file_limit');
assert(members.every((item) => item.label === '$schema' || item.documentation),
    'a member is not explained');
await offers('"type": "xfs"', '"type": "|"', 'vfat', 'ntfs', 'ext4', 'btrfs',
    'udf');
await offers('"io": "buffered"', '"io": "|"', 'buffered', 'direct', 'direct!');
await offers('"read": "cold"', '"read": "cold", "|"', 'depth', 'streams',
    'duration');
await offers('"image": "scratch.img"', '"|"', 'image', 'device', 'directory');
await explains('"rounds": 5', '"rou|nds": 5', 'How often every cell');
await explains('"type": "xfs"', '"ty|pe": "xfs"', 'What mkfs makes');
await explains('"size": "96MiB"', '"si|ze": "96MiB"', 'until the volume is full');
await explains('"timeout": "5min"', '"time|out": "5min"', 'How long one cell');
await explains('"block": "512KiB"', '"blo|ck": "512KiB"', 'What one call');
await explains('"name": "ext4"', '"na|me": "ext4"', 'Default: the type');
