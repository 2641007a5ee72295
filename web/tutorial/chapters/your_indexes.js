// Chapter 8: which of one's indexes are hot, why, and the two files that change it without breaking the app.

import { AuditTool } from '../elements/audit_tool.js';
import { MissingIndexTool } from '../elements/missing_index_tool.js';
import { RewriteTool } from '../elements/rewrite_tool.js';
import { INDEX_SAMPLES } from '../index_samples.js';

/** @typedef {import('../../library/workbench.js').IndexFinding} Finding */

/** @param {{findings: Finding[]}} audit */
const hotOnes = ({ findings }) => findings.filter(({ risk }) => risk === 'hot');

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'your-indexes',
  steps: [
    {
      id: 'hot',
      given: { indexes: INDEX_SAMPLES.instruments },
      prediction: { unit: 'hot-indexes', answer: (audit) => hotOnes(audit).length, isAsked: ({ word }) => word === 'instruments' },
      tool: async () => (host) => new AuditTool(host),
      sandbox: () => ({ chapter: 'hot-range', knobs: { index: 'time', events: 900 } }),
      tasks: [
        { id: 'hidden', reached: (audit) => hotOnes(audit).some(({ where }) => where === 'single-field') },
        { id: 'mend', reached: ({ word, findings, candidates }) => {
          const all = [...findings, ...candidates];
          return word === 'own' && all.length > 0 && !all.some((/** @type {Finding} */ { where }) => where === 'composite');
        } },
      ],
    },
    {
      id: 'rewrite',
      tool: async () => (host) => new RewriteTool(host),
      tasks: [
        { id: 'clean', reached: ({ before, after }) => before.length > 0 && after.length === 0 },
        { id: 'counters', reached: ({ changes }) => changes.some((/** @type {any} */ { index }) => index.ttl) },
      ],
    },
    {
      id: 'missing',
      tool: async () => (host) => new MissingIndexTool(host),
      tasks: [{ id: 'read', reached: ({ entry }) => entry !== undefined }],
    },
  ],
};
