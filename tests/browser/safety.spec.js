/** Nothing that comes from a database, a server or a form becomes HTML or code. */
import { expect, test } from './support/test.js';

const HTML = '<img src=x onerror="document.title=\'owned\'"><script>document.title=\'owned\'</script>';

test.beforeEach(({ tutorial }) => tutorial.open());

test('HTML in documents is shown as text', async ({ tutorial, firestore, page }) => {
  const text = { stringValue: HTML };
  await firestore.set('instruments/evil', {
    symbol: text,
    exchange: text,
    price: { mapValue: { fields: { currency: text, micros: { integerValue: '1' } } } },
    instrumentType: { stringValue: 'commonstock' },
    shard: { stringValue: 'x' },
    timestamp: { timestampValue: '2019-01-01T00:00:00Z' },
    [HTML]: text,
  });
  await tutorial.query('Common stock');
  const [row] = await tutorial.rows();
  expect(row).toMatchObject({ Symbol: HTML, Exchange: HTML, Price: `0.000001 ${HTML}` });
  await tutorial.instruments.getByText('As JavaScript objects').click();
  await expect(tutorial.instruments.locator('.results pre')).toContainText('onerror');
  await expect(page.locator('main img, main script')).toHaveCount(0);
  await expect(page).not.toHaveTitle('owned');
});

test('documents of any other shape are shown, too', { tag: '@long' }, async ({ tutorial, firestore }) => {
  const shard = { stringValue: 'x' };
  const instrumentType = { stringValue: 'commonstock' };
  await firestore.set('instruments/bare', { shard, instrumentType, timestamp: { nullValue: null } });
  await firestore.set('instruments/odd', {
    shard,
    instrumentType,
    symbol: { arrayValue: { values: [{ integerValue: '9007199254740993' }, { bytesValue: 'AQI=' }] } },
    price: { stringValue: 'dear' },
    exchange: { geoPointValue: { latitude: 1, longitude: 2 } },
    timestamp: { timestampValue: '2019-01-01T00:00:00.123456Z' },
  });
  await tutorial.query('Common stock');
  const rows = await tutorial.rows();
  expect(rows[0]).toMatchObject({ Price: 'dear', 'Timestamp (UTC)': '2019-01-01 00:00:00.123456' });
  expect(rows[0]?.Symbol).toContain('9007199254740993');
  expect(rows[1]).toMatchObject({ Symbol: '–', Price: '–', 'Timestamp (UTC)': 'null' });
});

test('HTML in a form is shown as text', { tag: '@long' }, async ({ tutorial, page }) => {
  const path = 'counters/<img src=x onerror=alert(1)>';
  await tutorial.path.fill(path);
  await tutorial.create.click();
  await expect(tutorial.counter.getByText(`Shardline created ${path} with 10 shards`)).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
});

test('HTML in an error of the server is shown as text', async ({ tutorial, page, watch }) => {
  watch.expectFailedRequests();
  await page.route('**/*:runAggregationQuery', (route) => route.fulfill({
    status: 403,
    contentType: 'application/json',
    headers: { 'access-control-allow-origin': '*' },
    body: JSON.stringify({ error: { code: 403, status: 'PERMISSION_DENIED', message: HTML } }),
  }));
  await tutorial.readSum();
  await expect(tutorial.counter.getByRole('status').filter({ hasText: 'The security rules refuse this.' })).toBeVisible();
  await expect(page.locator('main img, main script')).toHaveCount(0);
  await expect(page).not.toHaveTitle('owned');
});

test('the built page has a policy that stops scripts, styles and HTML from elsewhere', async ({ page, watch }) => {
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain("'unsafe-eval'");

  watch.expect(/policy violated|Content Security Policy|Trusted/);
  const outcome = await page.evaluate(async () => {
    /** @type {string[]} */
    const blocked = [];
    const styleIsBlocked = new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        blocked.push(effectiveDirective);
        if (effectiveDirective.startsWith('style-src')) resolve(undefined);
      });
    });
    const attempt = (/** @type {() => void} */ action) => {
      try {
        action();
      } catch (error) {
        blocked.push(String(error));
      }
    };
    attempt(() => (document.body.innerHTML = '<p>owned</p>'));
    attempt(() => {
      const script = document.createElement('script');
      script.append("document.title = 'owned'");
      document.body.append(script);
    });
    attempt(() => {
      const style = document.createElement('style');
      style.append('body { color: red }');
      document.body.append(style);
    });
    await styleIsBlocked;
    return { blocked: blocked.join(' '), color: getComputedStyle(document.body).color, title: document.title };
  });
  expect(outcome.blocked).toContain('style-src');
  expect(outcome.blocked).toContain('TrustedHTML');
  expect(outcome.title).not.toBe('owned');
  expect(outcome.color).not.toBe('rgb(255, 0, 0)');
});
