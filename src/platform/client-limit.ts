/** A limit per client, by Cloudflare's rate limiting binding; its count and period stand in wrangler.toml. */
export function clientLimit(binding: RateLimit): (client: string) => Promise<boolean> {
  return async (client) => (await binding.limit({ key: client })).success;
}
