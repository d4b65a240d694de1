import { expect, test } from 'vitest'
import * as channels from '../channels/channel.messages.ts'
import * as contributions from '../contributions/contribution.messages.ts'
import * as encoders from '../encoders/record/encoder-record.messages.ts'
import { ACTION_FAILED } from '../programs/command/command.messages.ts'

test('ERR-46 ERR-17 the fallbacks that differ in punctuation, letter for letter', () => {
  expect({
    channels: channels.STATUS_FAILED,
    'bulk status': contributions.STATUS_FAILED,
    'encoder add': encoders.TRY_AGAIN,
    'actions of feeders, inputs and outputs': ACTION_FAILED,
  }).toEqual({
    channels: 'Something went wrong! Please try again.',
    'bulk status': 'Something went wrong. Please try again.',
    'encoder add': 'Something went wrong, Please try again',
    'actions of feeders, inputs and outputs': 'Something went wrong',
  })
})
