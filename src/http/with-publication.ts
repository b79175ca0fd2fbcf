import { readPublication } from '../app/settings.ts';
import type { Publication } from '../domain/publication.ts';
import type { AppContext } from './context.ts';
import { notFound } from './pages.ts';

/** A handler that needs the publication; before there is one, 404. */
export function withPublication(handle: (c: AppContext, publication: Publication) => Promise<Response>) {
  return async (c: AppContext): Promise<Response> => {
    const { publications, baseUrl } = c.get('deps');
    const publication = await readPublication(publications, baseUrl);
    return publication ? handle(c, publication) : notFound(c);
  };
}
