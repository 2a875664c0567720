// A verifier of the Perceptron family in plain JavaScript, written by docs/write-a-verifier.md; it needs Node only.
//
//     node verify.js certificate.json data.rounds
//
// Exit status 0: true; 1: false; 2: not covered here.
'use strict'
const fs = require('node:fs')
const crypto = require('node:crypto')

class Refused extends Error {}
class NotCovered extends Error {}
class Unreadable extends Error {}
const wants = (condition, why) => { if (!condition) throw new Unreadable(why) }
const LONGEST = 4000 // characters of a number
const need = (condition, why) => { if (!condition) throw new Refused(why) }

// ---------------------------------------------------------------- step 1: JSON that keeps numbers as they are written

class Numeral { // a number with its text: 1 and 1.0 are not the same here
  constructor (text) { wants(text.length <= LONGEST, 'a number is too long'); this.text = text; this.whole = /^-?\d+$/.test(text) }
  get float () { return Number(this.text) }
  get big () { need(this.whole, `${this.text} is not a whole number`); return BigInt(this.text) }
  get int () { const k = Number(this.big); need(Number.isSafeInteger(k), `${this.text} is too large`); return k }
}

function readJson (text) {
  let at = 0
  const skip = () => { while (' \n\r\t'.includes(text[at]) && at < text.length) at++ }
  const take = (mark) => { skip(); need(text.startsWith(mark, at), `no JSON at ${at}`); at += mark.length }
  const value = () => {
    skip()
    const rest = text.slice(at, at + 1)
    if (rest === '{' || rest === '[') {
      const named = rest === '{'; const out = named ? new Map() : []
      take(rest); skip()
      if (text[at] === (named ? '}' : ']')) { at++; return out }
      for (;;) {
        if (named) {
          const key = value(); need(typeof key === 'string' && !out.has(key), 'it says something twice'); take(':')
          out.set(key, value())
        } else out.push(value())
        skip()
        if (text[at] === ',') { at++; continue }
        take(named ? '}' : ']')
        return out
      }
    }
    if (rest === '"') {
      const end = /"(?:[^"\\]|\\.)*"/y; end.lastIndex = at
      const found = end.exec(text); need(found, 'an open string'); at = end.lastIndex
      return JSON.parse(found[0])
    }
    const word = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y; word.lastIndex = at
    const found = word.exec(text); need(found, `no JSON at ${at}`); at = word.lastIndex
    const known = { true: true, false: false, null: null }
    return found[0] in known ? known[found[0]] : new Numeral(found[0])
  }
  const out = value(); skip(); need(at === text.length, 'more than one value')
  return out
}

const quote = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (one) => '\\u' + one.charCodeAt(0).toString(16).padStart(4, '0'))
function writeJson (value) { // as json.dumps with sorted keys writes it
  if (value instanceof Map) return '{' + [...value.keys()].sort().map((key) => `${quote(key)}: ${writeJson(value.get(key))}`).join(', ') + '}'
  if (Array.isArray(value)) return '[' + value.map(writeJson).join(', ') + ']'
  return value instanceof Numeral ? value.text : typeof value === 'string' ? quote(value) : String(value)
}

// ------------------------------------------------------------------------------------------ step 2: exact fractions

const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a }
class Fraction {
  constructor (top, bottom = 1n) { const g = gcd(top, bottom) || 1n; this.top = top / g; this.bottom = bottom / g; if (this.bottom < 0n) { this.top = -this.top; this.bottom = -this.bottom } }
  static of (float) { // of a float, exactly
    need(Number.isFinite(float), 'a number is not finite')
    let power = 0n
    while (!Number.isInteger(float)) { float *= 2; power++ }
    return new Fraction(BigInt(float), 1n << power)
  }
  plus (b) { return new Fraction(this.top * b.bottom + b.top * this.bottom, this.bottom * b.bottom) }
  minus (b) { return this.plus(new Fraction(-b.top, b.bottom)) }
  times (b) { return new Fraction(this.top * b.top, this.bottom * b.bottom) }
  over (b) { return new Fraction(this.top * b.bottom, this.bottom * b.top) }
  above (b) { return this.top * b.bottom > b.top * this.bottom }
  get positive () { return this.top > 0n }
  get float () { // good to a few digits, for what is checked to 10^-6
    const shift = BigInt(Math.max(0, 80 - this.top.toString(2).length + this.bottom.toString(2).length))
    return Number((this.top << shift) / this.bottom) / 2 ** Number(shift)
  }
}
const F = (k) => new Fraction(BigInt(k))
const ZERO = F(0)
const isqrt = (n) => { if (n < 2n) return n; let x = 1n << BigInt((n.toString(2).length + 1) >> 1); for (;;) { const y = (x + n / x) >> 1n; if (y >= x) return x; x = y } }
const rootUp = (f) => new Fraction(isqrt((1n << 128n) * f.top / f.bottom) + 1n, 1n << 64n)

// ------------------------------------------------------------------------------------------------ step 3: the rounds

function readDyadic (text) {
  const found = /^(?:0|(-?[1-9]\d{0,15})(?:p(-?[1-9]\d{0,3}))?)$/.exec(text)
  wants(found, `${text.slice(0, 40)} is no dyadic number`)
  const top = Number(found[1] || 0); const asked = Number(found[2] || 0); let value = top; let power = asked
  while (power > 0) { const by = Math.min(power, 900); value *= 2 ** by; power -= by }
  while (power < 0) { const by = Math.min(-power, 900); value /= 2 ** by; power += by }
  const plain = asked ? top % 2 !== 0 && asked >= -1074 && (asked < 0 || Math.abs(value) >= 2 ** 53) : true
  wants(Number.isSafeInteger(top) && plain && Number.isFinite(value) && (value !== 0 || top === 0), `${text} is no float as it is written`)
  return value
}

function readRounds (text) {
  const lines = text.split('\n')
  if (lines[0] !== 'littlestone rounds 2') throw new NotCovered('data are read as littlestone rounds writes them')
  need(lines.pop() === '', 'the last line has no end')
  return lines.slice(1).map((line) => {
    const at = line.indexOf('\t'); const label = readJson(line.slice(0, at)); const rest = line.slice(at + 1)
    need(!rest.startsWith('='), 'the rounds are not rows')
    const entries = rest ? rest.split(' ').map((entry) => { const [i, x] = entry.split(':'); wants(/^\d{1,10}$/.test(i) && Number(i) < 2 ** 31, 'no such attribute'); return [Number(i), readDyadic(x)] }) : []
    return { label, entries }
  })
}

const plain = (label) => label instanceof Numeral ? label.float : label === true ? 1 : label === false ? 0 : '"' + label
function numberLabels (labels, declared) {
  const names = declared.map(plain); const numbers = new Map(names.map((name, k) => [name, k]))
  need(numbers.size === names.length && names.length <= 2, 'no such classes')
  const taken = new Set(numbers.values()); const closed = names.length > 0
  return labels.map(plain).map((label) => {
    if (!numbers.has(label)) {
      const usual = label === 0 || label === -1 ? 0 : label === 1 ? 1 : null
      let number = usual
      if (closed) need(names[0] === 0 && names[1] === 1 && usual !== null, 'a label was not declared')
      else if (usual === null || taken.has(usual)) number = [0, taken.size - 1, taken.size].find((k) => k >= 0 && !taken.has(k))
      need(number < 2, 'one class too many')
      numbers.set(label, number); taken.add(number)
    }
    return numbers.get(label)
  })
}

function fingerprint (rounds, codes) {
  const whole = crypto.createHash('sha256').update('littlestone rounds 2\n')
  rounds.forEach(({ entries }, t) => {
    const row = entries.filter(([, x]) => x !== 0); const n = row.length
    const kind = row.every(([, x]) => x === 1) ? 0 : row.every(([, x]) => Math.fround(x) === x) ? 1 : 2
    const bytes = Buffer.alloc(16 + 4 * n + [0, 4, 8][kind] * n)
    bytes.writeUInt32LE(kind, 0); bytes.writeUInt32LE(n, 4); bytes.writeBigInt64LE(BigInt(codes[t]), 8)
    row.forEach(([i, x], k) => {
      bytes.writeUInt32LE(i, 16 + 4 * k)
      if (kind === 1) bytes.writeFloatLE(x, 16 + 4 * n + 4 * k)
      if (kind === 2) bytes.writeDoubleLE(x, 16 + 4 * n + 8 * k)
    })
    whole.update(bytes)
  })
  return whole.digest('hex')
}

// --------------------------------------------------------------------------------- step 4: the run in its own floats

function addUp (terms, order, real) {
  const n = terms.length
  if (order === 'QUARTERS') {
    const s = [0, 0, 0, 0]; const whole = n - n % 4
    terms.forEach((term, k) => { const at = k < whole ? k % 4 : 0; s[at] = real(s[at] + term) })
    return real(real(s[0] + s[1]) + real(s[2] + s[3]))
  }
  if (order === 'LANES') {
    const lanes = [new Array(16).fill(0), new Array(16).fill(0)]; const whole = n - n % 16; const paired = n - n % 32
    terms.forEach((term, k) => { const lane = lanes[k < paired ? (k >> 4) % 2 : k < whole ? 0 : 1]; lane[k % 16] = real(lane[k % 16] + term) })
    let row = lanes[0].map((x, k) => real(x + lanes[1][k]))
    for (let size = 8; size; size >>= 1) row = row.slice(0, size).map((x, k) => real(x + row[k + size]))
    return row[0]
  }
  return terms.reduce((total, term) => real(total + term), 0)
}

function play (rule, rounds, codes, rows, surprise) {
  const short = rule.real === 'float32'; const dense = rows.form === 'dense'; const spaced = rule.name === 'AveragedPerceptron'
  const mixed = short && rows.values === 'float64'; const same = (x) => x
  if (mixed && dense && !spaced) throw new NotCovered('dense rows of float64 with weights of float32')
  const weight = short ? Math.fround : same; const value = short && !mixed ? Math.fround : same
  const alike = rows.values === rule.real
  const order = spaced || !dense ? 'QUARTERS' : alike ? 'LANES' : 'ONE_BY_ONE'
  const c = rule.bias; const constant = weight(c); const enough = rule.margin; const least = weight(enough)
  const cut = rule.tie === 'plus' ? (short ? -(2 ** -149) : -Number.MIN_VALUE) : 0
  const w = new Map(); let b = 0; const run = { mistakes: 0, updated: [], marks: [] }
  rounds.forEach(({ entries }, t) => {
    let row = entries
    if (dense) {
      const filled = new Array(rows.width).fill(0)
      for (const [i, x] of entries) if (x !== 0) { need(i < rows.width, 'a row is too long'); filled[i] = x }
      row = filled.map((x, i) => [i, x])
    }
    row = row.map(([i, x]) => [i, value(x)])
    const terms = row.map(([i, x]) => value((w.get(i) || 0) * x))
    const score = value(addUp(terms, order, value) + weight(b * constant))
    const code = codes[t]; const guess = score > cut ? 1 : 0; const a = code ? score : -score
    if (guess !== code || (t === 0 && surprise)) run.mistakes++
    const clear = guess === code && Math.abs(score) > least
    if (!(a <= enough) || clear || !(rule.tie === 'strict' || enough > 0 || guess !== code)) return
    const q = row.reduce((total, [, x]) => total + x * x, c * c)
    let along = rule.rate
    if (rule.normalized) along = q > 0 ? rule.rate / Math.sqrt(q) : 0
    if (rule.copies) { along = q > 0 ? Math.floor(-a / q) + 1 : 0; if (q > 0 && !(a + along * q > 0)) along++ }
    along = weight(along)
    if (along === 0) return
    const delta = code ? along : -along
    for (const [i, x] of row) w.set(i, weight((w.get(i) || 0) + value(delta * x)))
    b = weight(b + weight(delta * constant))
    run.updated.push(t); run.marks.push(rule.copies ? along : 1)
  })
  return run
}

// ------------------------------------------------------------------------------------ step 5: the theorem in fractions

const CLEAN = 'some u has u.z >= g > 0 on every update round'
const ANY = 'any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds'
const past = (rest, square) => rest.positive && rest.times(rest).above(square)
const ratio = (f) => f.norm.times(f.reach.plus(f.excess)).over(f.g.times(f.g))
const slope = (f, m) => f.norm.times(f.reach.times(m).plus(f.excess))
const THEOREMS = {
  'Perceptron (Novikoff 1962)': [CLEAN, (f, m) => past(m.times(f.g), slope(f, m))],
  'Perceptron, hinge loss': [ANY, (f, m) => past(m.times(f.g).minus(f.D), slope(f, m))],
  'Perceptron, squared deviation (Freund and Schapire 1999)': [ANY.replace('summed', 'squared and summed'), (f, m) => {
    const square = f.S.over(f.g.times(f.g))
    return past(m.minus(ratio(f)).minus(square), F(4).times(ratio(f)).times(square))
  }],
  'Perceptron, run-dependent': [`${ANY}, and the length of the final weights`, (f, m) => past(m.times(f.g).minus(f.D), f.norm.times(f.length))],
  'Perceptron, hinge loss, readable form': [ANY, (f, m) => past(m.minus(f.D.over(f.g)).minus(ratio(f)), ratio(f).times(f.D.over(f.g)))],
  'Perceptron, total deviation': [ANY, (f, m) => m.above(ratio(f).plus(F(2).times(f.D).over(f.g)))]
}

function measure (rule, rounds, codes, run, witness) {
  const attributes = witness.get('attributes').map((k) => k.int); const numerators = witness.get('numerators').map((k) => k.big)
  const power = witness.get('exponent').int; const margin = witness.get('margin')
  need(Math.abs(power) < 3000 && margin instanceof Numeral && !margin.whole && attributes.length === numerators.length, 'malformed witness')
  const u = new Map(attributes.map((i, k) => [i, numerators[k]])); need(u.size === attributes.length, 'an entry twice')
  const unit = power < 0 ? new Fraction(1n, 1n << BigInt(-power)) : new Fraction(1n << BigInt(power))
  const f = { g: Fraction.of(margin.float), D: ZERO, S: ZERO, longest: ZERO, shortest: null, excess: ZERO, entries: 0, steps: 0 }
  const limit = rule.exact ? Fraction.of(rule.margin).over(rule.rateExact) : ZERO; const w = new Map()
  run.updated.forEach((t, place) => {
    const sign = F(codes[t] ? 1 : -1); const copies = run.marks[place]
    const z = rounds[t].entries.filter(([, x]) => x !== 0).map(([i, x]) => [i, sign.times(Fraction.of(x))])
    if (rule.biasHeld) z.unshift([-1, sign.times(Fraction.of(rule.biasHeld))])
    let dot = ZERO; let square = ZERO; let agreement = ZERO
    for (const [i, x] of z) {
      dot = dot.plus(new Fraction(u.get(i) || 0n).times(x)); square = square.plus(x.times(x)); agreement = agreement.plus((w.get(i) || ZERO).times(x))
    }
    dot = dot.times(unit)
    if (rule.normalized) { // no more than dot / sqrt(square)
      need(square.positive, 'a row without attributes cannot teach')
      const root = new Fraction(isqrt(dot.times(dot).over(square).times(new Fraction(1n << 128n)).top / dot.times(dot).over(square).times(new Fraction(1n << 128n)).bottom), 1n << 64n)
      dot = dot.top >= 0n ? root : ZERO.minus(root).minus(new Fraction(1n, 1n << 64n))
    }
    const short = f.g.minus(dot)
    if (short.positive) { f.D = f.D.plus(F(copies).times(short)); f.S = f.S.plus(F(copies).times(short).times(short)) }
    if (square.above(f.longest)) f.longest = square
    if (f.shortest === null || f.shortest.above(square)) f.shortest = square
    f.entries = Math.max(f.entries, z.length); f.steps += copies
    if (rule.exact) {
      let over = agreement.plus(F(copies - 1).times(square)).minus(limit)
      for (let copy = copies; copy > 0 && over.positive; copy--) { f.excess = f.excess.plus(F(2).times(over)); over = over.minus(square) }
      for (const [i, x] of z) w.set(i, (w.get(i) || ZERO).plus(F(copies).times(x)))
    }
  })
  f.shortest = f.shortest || ZERO
  f.length = [...w.values()].reduce((total, x) => total.plus(x.times(x)), ZERO)
  f.norm = unit.times(unit).times(new Fraction(numerators.reduce((total, k) => total + k * k, 0n)))
  return f
}

function findReach (rule, f) {
  const margin = Fraction.of(rule.margin).over(rule.rateExact)
  if (!rule.normalized) return f.longest.plus(F(2).times(margin))
  return F(1).plus(f.shortest.positive ? F(2).times(margin).times(rootUp(F(1).over(f.shortest))) : ZERO)
}

function loosen (rule, f) { // the most that floats may have measured
  const size = rule.normalized ? F(1) : f.longest; const loose = new Fraction(1n, 1n << 36n); const m = F(f.steps)
  const more = F(1).plus(loose); const far = new Fraction(BigInt(f.entries + 8), 1n << 50n).times(rootUp(f.norm.times(size)))
  const grown = loose.plus(m.times(m).times(new Fraction(1n, 1n << 50n))).times(size).times(m)
  const S = f.S.plus(F(2).times(far).times(f.D)).plus(m.times(far).times(far))
  const out = { ...f, norm: more.times(f.norm), longest: more.times(f.longest), shortest: F(1).minus(loose).times(f.shortest), D: more.times(f.D.plus(m.times(far))), S: more.times(S), length: f.length.plus(grown), excess: f.excess.plus(grown) }
  return { ...out, reach: findReach(rule, out) }
}

// -------------------------------------------------------------------------------------------- step 6: every other word

function near (claimed, value, what) {
  need(claimed instanceof Numeral && !claimed.whole && Math.abs(claimed.float - value) <= 1e-6 * Math.max(value, 1), `${what} is ${value}`)
}

function readRule (about) {
  const name = about.get('name'); const real = about.get('real')
  const words = { Perceptron: ['bias', 'margin', 'normalized', 'rate', 'tie'], AveragedPerceptron: ['bias', 'margin', 'rate', 'tie'], VotedPerceptron: ['bias'], AggressivePerceptron: ['bias', 'tie'] }[name]
  if (!words) throw new NotCovered(`${name} is not covered here`)
  const own = [...about.keys()].filter((key) => !['name', 'real', 'classes'].includes(key)).sort()
  need(own.join() === words.join() && ['float32', 'float64'].includes(real), `no ${name} is so described`)
  const number = (key, usual) => { if (!words.includes(key)) return usual; const v = about.get(key); need(v instanceof Numeral && (v.float === 0 || (v.float >= 1e-30 && v.float <= 1e30)), `no ${key}`); return v.float }
  const held = real === 'float32' ? Math.fround : (x) => x
  const rule = { name, real, bias: number('bias', 0), margin: number('margin', 0), rate: number('rate', 1), tie: words.includes('tie') ? about.get('tie') : 'strict', normalized: words.includes('normalized') ? about.get('normalized') : false, copies: name === 'AggressivePerceptron' }
  need(['strict', 'plus', 'minus'].includes(rule.tie) && typeof rule.normalized === 'boolean' && held(rule.rate) > 0, 'no such parameters')
  return { ...rule, exact: !rule.normalized, biasHeld: held(rule.bias), rateExact: Fraction.of(held(rule.rate)) }
}

const FIELDS = ['bound', 'count', 'counts', 'digest', 'exact', 'holds', 'learner', 'marks', 'mistakes', 'promise', 'rounds', 'scope', 'slack', 'stream', 'theorem', 'updated', 'updates', 'version', 'witness']
function verify (text, data) {
  const c = readJson(text)
  need(c instanceof Map, 'a certificate is an object')
  need(c.get('version') instanceof Numeral && c.get('version').text === '2', 'its version is not 2')
  const named = [...c.keys()].filter((key) => key !== 'rows' && key !== 'columns').sort()
  need(named.join() === FIELDS.join(), 'its fields are others')
  const record = new Map([...c].filter(([key]) => key !== 'digest'))
  need(crypto.createHash('sha256').update(writeJson(record)).digest('hex') === c.get('digest'), 'its digest is another')
  const whole = (key) => { const k = c.get(key); need(k instanceof Numeral && k.whole && k.big >= 0n, `${key} is not a count`); return k.int }
  const list = (key) => { need(Array.isArray(c.get(key)), key); return c.get(key).map((k) => { need(k instanceof Numeral && k.whole, key); return k.int }) }
  need(c.get('learner') instanceof Map && c.get('witness') instanceof Map, 'a field is of another kind')
  const rule = readRule(c.get('learner'))
  const [rounds, mistakes, updates, updated, marks] = [whole('rounds'), whole('mistakes'), whole('updates'), list('updated'), list('marks')]
  need(c.get('bound') instanceof Numeral && c.get('bound').big >= 0n, 'the bound is a whole number')
  const bound = c.get('bound').big
  const counts = c.get('counts')
  if (counts === 'served mistakes' || counts === 'weight of updates') throw new NotCovered(`${counts} are not covered here`)
  let all
  try { all = readRounds(data) } catch (problem) { throw problem instanceof Refused || problem instanceof RangeError ? new Unreadable(problem.message) : problem }
  need(all.length >= rounds, 'the rounds are fewer')
  const played = all.slice(0, rounds); const declared = c.get('learner').get('classes') || []
  need(Array.isArray(declared), 'no classes')
  const codes = numberLabels(played.map((one) => one.label), declared)
  need(fingerprint(played, codes) === c.get('stream'), 'the rounds are not those of the certificate')
  const surprise = rounds > 0 && !c.get('learner').has('classes') && ![0, 1, -1].includes(plain(played[0].label))
  const rows = c.get('rows')
  if (!rows) throw new NotCovered('its rows came in several forms')
  need(rows instanceof Map && rows.size === 3 && ['listed', 'dense'].includes(rows.get('form')) && ['float32', 'float64', 'ones'].includes(rows.get('values')), 'no such rows')
  const width = rows.get('width').int; need(width >= 0 && (width === 0 || rows.get('form') === 'dense'), 'no such rows')
  const run = play(rule, played, codes, { form: rows.get('form'), width, values: rows.get('values') }, surprise)
  need(run.mistakes === mistakes, `the run makes ${run.mistakes} mistakes, not ${mistakes}`)
  need(run.updated.join() === updated.join() && updates === updated.length, 'the updates are not those of the run')
  need((rule.copies ? run.marks : []).join() === marks.join(), 'the marks are not those of the run')
  const witness = c.get('witness'); const known = ['attributes', 'exponent', 'margin', 'numerators']
  const given = [...witness.keys()].filter((key) => key !== 'unexplained' && key !== 'everywhere').sort()
  need(given.join() === known.join(), 'the witness has other words')
  const f = measure(rule, played, codes, run, witness)
  f.reach = findReach(rule, f)
  const theorem = THEOREMS[c.get('theorem')]
  need(theorem && !(rule.normalized && c.get('theorem') === 'Perceptron, run-dependent'), 'no such theorem')
  need(c.get('promise') === theorem[0] && f.g.positive && (theorem[0] !== CLEAN || !f.D.positive), 'the promise is not kept')
  need(theorem[1](f, new Fraction(bound + 1n)), `the witness does not give ${bound}`)
  if (bound > 0n) need(!theorem[1](loosen(rule, f), new Fraction(bound)), `the witness gives less than ${bound}`)
  const count = c.get('count')
  need(c.get('counts') === (rule.copies ? 'steps' : 'updates') && c.get('scope') === 'sequence' && c.get('exact') === rule.exact, 'its words are others')
  need(rule.copies ? count instanceof Numeral && count.whole && count.int === f.steps : count === null, 'the count is another')
  if (witness.has('unexplained')) near(witness.get('unexplained'), f.steps ? f.D.over(f.g.times(F(f.steps))).float : 0, 'what is unexplained')
  if (witness.has('everywhere')) {
    const u = new Map(witness.get('attributes').map((i, k) => [i.int, witness.get('numerators')[k].float * 2 ** witness.get('exponent').int]))
    const g = witness.get('margin').float
    near(witness.get('everywhere'), played.reduce((total, { entries }, t) => {
      let a = (u.get(-1) || 0) * rule.biasHeld; let q = rule.biasHeld ** 2
      for (const [i, x] of entries) { a += (u.get(i) || 0) * x; q += x * x }
      a = (codes[t] ? a : -a) / (rule.normalized && q > 0 ? Math.sqrt(q) : 1)
      return total + Math.max(0, g - a) / g
    }, 0), 'the loss over all rounds')
  }
  const counted = BigInt(rule.copies ? f.steps : updates)
  need(counted <= bound && c.get('holds') === true && c.get('slack').text === String(bound - counted), 'slack and holds do not follow')
  return `true: ${counted} ${c.get('counts')} <= ${bound} over ${rounds} rounds (${c.get('theorem')})`
}

function say (text, data) {
  try { return [0, verify(text, data)] } catch (problem) {
    if (problem instanceof NotCovered) return [2, `not covered here: ${problem.message}`]
    if (problem instanceof Unreadable) return [2, `cannot be read: ${problem.message}`]
    return [1, `false: ${problem.message}`] // also what is malformed in a way that was not foreseen
  }
}

if (process.argv[2] === '--all') { // a list of pairs of files on standard input, a verdict a line
  const pairs = JSON.parse(fs.readFileSync(0, 'utf8'))
  for (const [certificate, data] of pairs) console.log(say(fs.readFileSync(certificate, 'utf8'), fs.readFileSync(data, 'utf8')).join(' '))
} else {
  const [status, line] = say(fs.readFileSync(process.argv[2], 'utf8'), fs.readFileSync(process.argv[3], 'utf8'))
  console.log(line)
  process.exitCode = status
}
