/**
 * The least a Worker can do, to compare with: the stored bytes of a path by one query, with their ETag.
 * `/bench/trips?n=N` makes N round trips to D1 that do nothing.
 */
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/bench/trips') {
      for (let trip = Number(searchParams.get('n')); trip > 0; trip -= 1) await env.DB.prepare('SELECT 1').first();
      return new Response('done');
    }
    const row = await env.DB.prepare('SELECT body, etag FROM bare WHERE path = ?')
      .bind(pathname)
      .first<{ body: string; etag: string }>();
    if (!row) return new Response(null, { status: 404 });
    const headers = { ETag: row.etag, 'Content-Type': 'text/plain; charset=utf-8' };
    if (request.headers.get('if-none-match') === row.etag) return new Response(null, { status: 304, headers });
    return new Response(row.body, { headers });
  },
} satisfies ExportedHandler<{ DB: D1Database }>;
