import { DASHBOARD_PAGE_SIZES } from '@trunkline/contract/encoders/encoder.schema'
import { SEARCH_FIRES_PAST_CHARACTERS } from '@trunkline/contract/paging.schema'
import { expect, test } from 'vitest'
import { ACTION_WORKED } from '../programs/command/command.messages.ts'
import * as dashboardText from './encoder.messages.ts'
import { RELOAD_AFTER_MS } from './record/encoder-record.actions.ts'
import * as recordText from './record/encoder-record.messages.ts'
import { MANAGER_PAGE_SIZES } from './manager/EncoderManagerPage.tsx'

test('CONST-01 CONST-02 CONST-07 CONST-08 the numbers of dashboard and manager', () => {
  expect(MANAGER_PAGE_SIZES).toEqual([12])
  expect(DASHBOARD_PAGE_SIZES).toEqual([12, 28, 56, 84, 112])
  expect(SEARCH_FIRES_PAST_CHARACTERS).toBe(3)
  expect(RELOAD_AFTER_MS).toBe(300)
})

test('ERR-07 ERR-08 ERR-10 ERR-14 ERR-19 ERR-21 ERR-22 ERR-46 the catalogue, letter for letter', () => {
  expect([
    dashboardText.NO_RESPONSE,
    ACTION_WORKED,
    dashboardText.NOT_YET_CONFIGURED,
    recordText.ADDED,
    recordText.UPDATED,
    recordText.DELETED,
    recordText.TRY_AGAIN,
    recordText.CHECK_REQUIRED,
    recordText.REMOVE_FEEDER_FIRST,
  ]).toEqual([
    "Don't get any response",
    'Action worked success',
    'This encoder is not yet configured.',
    'Success add new encoder',
    'Success updated',
    'Success deleted',
    'Something went wrong, Please try again',
    'Please check required fields',
    'Please remove first feeder.',
  ])
})
