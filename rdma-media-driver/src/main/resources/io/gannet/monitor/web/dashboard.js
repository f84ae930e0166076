'use strict';
// Asks for the driver's sums once a second and shows what two of them differ by.
(() => {
  const INTERVAL = 1000;
  const POINTS = 60;
  const PATIENCE = 5000;
  const $ = id => document.getElementById(id);
  const history = new Map();        // per series: the last rates
  const cycles = [];                // duty cycles of the last minute
  const times = [];                 // and times of messages
  let before = null;
  let last = null;
  let answered = Date.now();

  // --- numbers for people
  const scaled = (value, base, units) => {
    let v = Math.max(0, value), i = 0;
    while (v >= base && i < units.length - 1) { v /= base; i++; }
    return (v >= 100 || (i === 0 && Number.isInteger(v)) ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2)) + units[i];
  };
  const count = v => scaled(v, 1000, ['', ' k', ' M', ' G', ' T']);
  const bytes = v => scaled(v, 1024, [' B', ' KiB', ' MiB', ' GiB', ' TiB']);
  const nanos = v => v < 1000 ? v.toFixed(0) + ' ns' : scaled(v / 1000, 1000, [' µs', ' ms', ' s']);
  const millis = v => v < 1000 ? v + ' ms' : v < 120000 ? (v / 1000).toFixed(1) + ' s' : (v / 60000).toFixed(0) + ' min';

  // --- elements; text is never taken for markup
  const element = (name, attributes, ...children) => {
    const made = name.startsWith('svg:')
      ? document.createElementNS('http://www.w3.org/2000/svg', name.slice(4)) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children.filter(child => child !== null));
    return made;
  };
  const cell = (name, text, more) => element('td', { class: 'n ' + (more || ''), 'data-name': name }, text);

  // --- rates
  const seconds = () => before ? (last.nanos - before.nanos) / 1e9 : 0;
  const rate = (now, then) => seconds() > 0 && then !== undefined ? Math.max(0, (now - then) / seconds()) : 0;
  const remember = (key, value) => {
    const points = history.get(key) || [];
    points.push(value);
    if (points.length > POINTS) points.shift();
    history.set(key, points);
    return points;
  };
  const spark = points => {
    const top = Math.max(...points, 1e-9);
    const line = points.map((v, i) => (120 * (POINTS - points.length + i) / (POINTS - 1)).toFixed(1) + ',' +
      (23 - 22 * v / top).toFixed(1)).join(' ');
    return element('svg:svg', { class: 'spark', viewBox: '0 0 120 24', preserveAspectRatio: 'none', role: 'img',
      'aria-label': 'bytes per second of the last minute' }, element('svg:polyline', { points: line }));
  };
  const older = (list, same) => before ? before[list].find(same) : undefined;

  // --- parts of the page
  const head = () => {
    document.title = 'Gannet: ' + last.state;
    const good = last.healthy;
    $('state').textContent = last.state;
    $('state').className = 'pill ' + (good ? 'good' : last.state === 'starting' ? '' : 'bad');
    $('driver').textContent = last.driver
      ? last.driver.version + ', pid ' + last.driver.pid + ', since ' + new Date(last.driver.startTimeMillis).toLocaleString() +
        ', in ' + last.directory : last.directory;
    problem(good ? '' : last.text);
    $('age').textContent = last.heartbeatAgeNanos >= 0 ? 'heartbeat ' + nanos(last.heartbeatAgeNanos) + ' ago' : '';
  };
  const problem = text => { $('problem').textContent = text; $('problem').hidden = !text; };

  const TILES = [['clients connected', 'clients'], ['publications', 'publications'], ['subscriptions', 'subscriptions'],
    ['images', 'images'], ['rings', 'rings'], ['bytes of ring files', 'of ring files', bytes],
    ['clients that are alive but silent', 'silent clients', null, 'warn'],
    ['clients that died without close', 'clients died', null, 'warn'],
    ['images cut off because their subscriber was too slow', 'images cut off', null, 'warn'],
    ['commands of clients that were refused', 'commands refused', null, 'warn'],
    ['errors, see the distinct-error log', 'errors', null, 'hold']];
  const tiles = () => {
    const values = new Map(last.system.map(c => [c.label, c.value]));
    $('tiles').replaceChildren(...TILES.filter(t => values.has(t[0])).map(([label, name, format, alarm]) =>
      element('li', { title: label }, element('b', { class: alarm && values.get(label) > 0 ? alarm : '' },
        (format || count)(values.get(label))), element('span', {}, name))));
  };

  const readers = stream => [
    ...stream.subscribers.map(s => ({ who: s.client, lag: s.lag, holds: s.holds, waits: '' })),
    ...stream.remotes.map(r => {
      const then = (older('streams', o => o.ring === stream.ring) || { remotes: [] }).remotes
        .find(o => o.host === r.host && o.direction === r.direction);
      return { who: r.direction + ' ' + r.host, lag: r.lagNow, holds: r.holds,
        waits: (r.waitsFor ? 'waits for ' + r.waitsFor + ' ' + millis(r.waitsMillis) + ' ' : '') +
          (r.reconnects > 0 ? r.reconnects + (r.reconnects === 1 ? ' reconnect' : ' reconnects') : ''),
        messages: r.direction === 'to' ? rate(r.messages, then && then.messages) : null };
    })];
  const streams = () => {
    const filter = $('filter').value.toLowerCase();
    const rows = last.streams.map(stream => {
      const then = older('streams', o => o.ring === stream.ring);
      const speed = rate(stream.position, then && then.position);
      const all = readers(stream);
      return { stream, all, speed, points: remember('stream ' + stream.ring, speed),
        lag: Math.max(0, ...all.map(r => r.lag)),
        text: (stream.channel + ' ' + stream.stream + ' ' + stream.session + ' ' + all.map(r => r.who).join(' ')).toLowerCase() };
    }).filter(row => row.text.includes(filter));
    const order = { rate: r => -r.speed, lag: r => -r.lag, held: r => -r.stream.heldMillis, stream: r => r.stream.stream }[$('sort').value];
    rows.sort((a, b) => order(a) - order(b) || a.stream.stream - b.stream.stream || a.stream.session - b.stream.session);
    const shown = rows.slice(0, 200);
    const body = element('tbody');
    for (const { stream, all, speed, points, lag } of shown) {
      body.append(element('tr', { class: 'stream' },
        element('td', {}, element('b', {}, 'stream ' + stream.stream), ' ', element('small', {}, stream.channel +
          ', session ' + stream.session + (stream.image ? ', image' : ''))),
        element('td', {}, spark(points)),
        cell('rate', bytes(speed) + '/s', 'rate'), cell('position', bytes(stream.position), 'position'), cell('lag', bytes(lag)),
        cell('', stream.heldMillis > 0 ? 'held ' + millis(stream.heldMillis) : '', 'hold')));
      for (const reader of all) {
        body.append(element('tr', { class: 'reader' }, element('td', {}, reader.who), element('td', {}),
          cell('', reader.messages != null ? count(reader.messages) + ' msg/s' : ''), cell('', ''), cell('lag', bytes(reader.lag)),
          cell('', reader.holds ? 'holds publishers' : reader.waits, reader.holds ? 'hold' : 'warn')));
      }
      if (all.length === 0) {
        body.append(element('tr', { class: 'reader' }, element('td', {}, element('small', {}, 'no subscriber'))));
      }
    }
    const columns = [['', ''], ['', ''], ['rate', 'n'], ['position', 'n'], ['lag', 'n'], ['', 'n']];
    $('streams').replaceChildren(shown.length === 0 ? element('p', { class: 'note' }, last.streams.length ? 'none of this filter' : 'no streams')
      : element('table', {}, element('thead', {}, element('tr', {},
        ...columns.map(([name, kind]) => element('th', { scope: 'col', class: kind }, name)))), body),
      rows.length > shown.length ? element('p', { class: 'note' }, rows.length - shown.length + ' more: use the filter') : '');
    const alive = new Set(last.streams.map(s => 'stream ' + s.ring));
    for (const key of history.keys()) if (key.startsWith('stream ') && !alive.has(key)) history.delete(key);
  };

  const quantile = (buckets, share) => {
    const all = buckets.reduce((a, b) => a + b, 0);
    let sum = 0;
    for (let i = 0; i < buckets.length; i++) {
      sum += buckets[i];
      if (all > 0 && sum >= share * all) return i;
    }
    return -1;
  };
  const limit = i => i < 0 ? '-' : i >= last.limitsNanos.length - 1 ? '> ' + nanos(last.limitsNanos[i - 1]) : '≤ ' + nanos(last.limitsNanos[i]);
  const histogram = (buckets, what) => {
    const width = 300, height = 90, floor = 76, bar = width / buckets.length;
    const top = Math.log10(1 + Math.max(...buckets, 1));
    const picture = element('svg:svg', { class: 'hist', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img',
      'aria-label': 'histogram of ' + what + ', logarithmic' });
    buckets.forEach((n, i) => {
      const h = floor * Math.log10(1 + n) / top;
      picture.append(element('svg:rect', { class: 'track', x: i * bar + 0.5, y: floor, width: bar - 1, height: 1 }));
      if (n > 0) {
        picture.append(element('svg:rect', { class: 'bar', x: i * bar + 0.5, y: floor - h, width: bar - 1, height: h },
          element('svg:title', {}, limit(i) + ': ' + count(n))));
      }
    });
    for (const [i, text] of [[2, '1 µs'], [12, '1 ms'], [22, '1 s']]) {
      picture.append(element('svg:text', { x: (i + 1) * bar, y: height - 2, 'text-anchor': 'middle' }, text));
    }
    return picture;
  };
  // What came into buckets in the last minute.
  const keep = (list, entries) => {
    list.push(new Map(entries));
    if (list.length > POINTS + 1) list.shift();
  };
  const recentOf = (list, name, buckets) => {
    const then = list[0].get(name);
    return buckets.map((n, i) => Math.max(0, n - (then && list.length > 1 ? then.buckets[i] : 0)));
  };
  const agents = () => {
    keep(cycles, last.agents.map(a => [a.name, a]));
    $('agents').replaceChildren(element('div', { class: 'agents' }, ...last.agents.map(agent => {
      const recent = recentOf(cycles, agent.name, agent.buckets);
      const previous = older('agents', a => a.name === agent.name);
      return element('div', { class: 'agent' }, element('h3', {}, agent.name),
        element('small', {}, count(rate(sum(agent.buckets), previous && sum(previous.buckets))) + ' cycles/s, p50 ' +
          limit(quantile(recent, 0.5)) + ', p99 ' + limit(quantile(recent, 0.99)) + ', longest ever ' + nanos(agent.longestNanos) + ', '),
        element('small', { class: agent.stalls > 0 ? 'warn' : '' }, agent.stalls + (agent.stalls === 1 ? ' stall' : ' stalls')), histogram(recent, 'duty cycles'));
    })));
  };
  const latencies = () => {
    const name = l => [l.stream, l.session, l.from, l.to].join(' ');
    keep(times, last.latencies.map(l => [name(l), l]));
    $('latency').hidden = last.latencies.length === 0;
    $('latencies').replaceChildren(element('div', { class: 'agents' }, ...last.latencies.map(l => {
      const recent = recentOf(times, name(l), l.buckets);
      return element('div', { class: 'agent' }, element('h3', {}, 'stream ' + l.stream + ': ' + l.from + ' to ' + l.to),
        element('small', {}, 'session ' + l.session + ', ' + count(sum(recent)) + ' samples, p50 ' +
          limit(quantile(recent, 0.5)) + ', p99 ' + limit(quantile(recent, 0.99))), histogram(recent, 'times of messages'));
    })));
  };
  const sum = list => list.reduce((a, b) => a + b, 0);

  const device = () => {
    $('nic').hidden = last.device.length === 0;
    const facts = last.device.filter(c => c.value !== 0 || /^[^:]*: (packets|bytes of packets) (received|sent)$/.test(c.label));
    const names = [...new Set(facts.map(owner))];
    $('device').replaceChildren(...names.flatMap(name => [element('h3', {}, name),
      element('div', { class: 'facts' }, ...facts.filter(c => owner(c) === name).map(fact))]));
  };
  const owner = c => c.label.slice(0, c.label.indexOf(': '));
  const fact = c => {
    const then = older('device', o => o.label === c.label);
    const format = c.label.includes(': bytes') ? bytes : count;
    return element('div', {}, element('span', {}, c.label.slice(c.label.indexOf(': ') + 2)),
      element('b', {}, c.label.includes('smallest window') ? count(c.value) :
        format(rate(c.value, then && then.value)) + '/s, ' + format(c.value)));
  };

  const selecting = () => { const s = getSelection(); return s && !s.isCollapsed; };
  const show = () => {
    head(); tiles(); latencies(); agents(); device();
    if (!selecting()) streams();
    document.body.dataset.shown = String(Number(document.body.dataset.shown || 0) + 1);
  };
  const ask = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch('state.json', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) throw new Error('it answers ' + answer.status);
      const now = await answer.json();
      answered = Date.now();
      if (last && now.nanos === last.nanos) return;
      const anew = last && (now.driver || {}).epoch !== (last.driver || {}).epoch;
      if (anew) { history.clear(); cycles.length = 0; times.length = 0; }
      before = anew ? null : last;
      last = now;
      show();
    } catch (failure) {
      problem('The exporter has not answered for ' + millis(Date.now() - answered) + ' (' + failure.message + ')');
      $('state').className = 'pill bad';
      $('state').textContent = 'unknown';
    }
  };
  const loop = async () => { await ask(); setTimeout(loop, INTERVAL); };
  $('filter').addEventListener('input', () => last && streams());
  $('sort').addEventListener('change', () => last && streams());
  loop();
})();
