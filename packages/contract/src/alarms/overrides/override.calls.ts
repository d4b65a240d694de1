import { z } from 'zod'
import { ObservedKind } from '../../fleet/observed-kind.schema.ts'
import { Page, pageSize } from '../../paging.schema.ts'
import { ById, removal } from '../../by-id.ts'
import { route } from '../../route.ts'
import { echoed, Version } from '../../text.schema.ts'
import { AlarmRule } from '../open-alarms.schema.ts'
import {
  AlarmOverride,
  changesSomething,
  CHANGES_NOTHING,
  CombinedRule,
  OverrideDraft,
  OverrideSettings,
} from './override.schema.ts'
import { success } from '../../reply.schema.ts'

const ofOverride = success({ data: AlarmOverride })

/** In the order of the rules, then the widest first: groups, servers, objects. */
export const listOverrides = route({
  name: 'alarmOverrides.list',
  method: 'GET',
  path: '/api/alarm-override',
  action: 'seeAlarms',
  query: z.strictObject({
    /** '' for all rules. */
    rule: z.union([AlarmRule, z.literal('')]).default(''),
    page: Page,
    rowsPerPage: pageSize(24),
  }),
  reply: success({ data: z.array(AlarmOverride), total: z.number() }),
})

/**
 * What applies to one object of each rule that raises alarms of it, by all overrides together, and where
 * each setting comes from. 404 for what is not there or other people's.
 */
export const readCombinedRules = route({
  name: 'alarmOverrides.combined',
  method: 'GET',
  path: '/api/alarm-override/combined',
  action: 'seeAlarms',
  query: z.strictObject({ kind: ObservedKind, id: z.string().min(1).max(64) }),
  reply: success({ data: z.array(CombinedRule) }),
})

/** 409 when there is one already of this rule for what it covers. */
export const addOverride = route({
  name: 'alarmOverrides.add',
  method: 'POST',
  addsObject: true,
  path: '/api/alarm-override',
  action: 'overrideAlarmRules',
  body: OverrideDraft,
  reply: ofOverride.extend({ id: z.string() }),
})

/** Replaces all settings: a field that is left out is as it would be without this override. */
export const updateOverride = route({
  name: 'alarmOverrides.update',
  method: 'PUT',
  path: '/api/alarm-override/:id',
  action: 'overrideAlarmRules',
  params: ById,
  body: OverrideSettings.extend({
    version: Version,
    ...echoed(['_id', 'id', 'covers', 'rule']),
  }).refine(changesSomething, CHANGES_NOTHING),
  reply: ofOverride,
})

/** What it covers is as without it at once. */
export const removeOverride = removal(
  'alarmOverrides.remove',
  '/api/alarm-override/:id',
  'overrideAlarmRules',
)
