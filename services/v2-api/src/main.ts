import { runApi } from '@busbar/api';
import { v2Api } from './app';

void runApi(v2Api);
