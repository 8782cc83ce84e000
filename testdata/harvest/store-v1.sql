SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA fossick;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE fossick.batches (
    id bytea NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE fossick.meta (
    version bigint NOT NULL
);
CREATE TABLE fossick.records (
    key bytea NOT NULL,
    call text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    times_called bigint NOT NULL,
    informational bigint NOT NULL,
    successful bigint NOT NULL,
    redirected bigint NOT NULL,
    client_error bigint NOT NULL,
    server_error bigint NOT NULL,
    took_answers bigint NOT NULL,
    took_total bigint NOT NULL,
    took_most bigint NOT NULL
);
INSERT INTO fossick.batches VALUES ('\x01010101010101010101010101010101', 1794813346456);
INSERT INTO fossick.batches VALUES ('\x02020202020202020202020202020202', 1794813346466);
INSERT INTO fossick.meta VALUES (1);
INSERT INTO fossick.records VALUES ('\x0920b79327f44bb6b7260a0f713fe5c8', '{"kind":"rest","method":"GET","path":"/projects","query":[["page","2"]],"headers":[["accept","application/json"]],"content":{"form":"none"}}', 1778313603000, 1778313960000, 9, 0, 6, 0, 0, 1, 9, 13500, 5000);
INSERT INTO fossick.records VALUES ('\x1656c6b46a2ac0094dde69f40ed51dd1', '{"kind":"graphql","path":"/graphql","root":"mutation","query":"mutation Rename($id:ID!){renameProject(id:$id,name:\"Ünïcode 🦀\"){id}}","operation_name":"Rename","variables":{"id":"UHJvamVjdDo3"}}', 1778313602000, 1778313840000, 6, 0, 4, 0, 0, 1, 6, 9000, 5000);
INSERT INTO fossick.records VALUES ('\x4e24fbed2f5b61bc85eede86d26ed830', '{"kind":"rest","method":"POST","path":"/projects","query":[],"headers":[],"content":{"form":"json","media_type":"application/json","value":{"name":"a\u0000b","owner":null,"parts":[1,2.5,"x"]}}}', 1778313604000, 1778314080000, 12, 0, 8, 0, 0, 1, 12, 18000, 5000);
INSERT INTO fossick.records VALUES ('\x5839b8d5b8a2634142aeab2d99cb4f77', '{"kind":"graphql","path":"/graphql","root":"query","query":"query Board($id:ID!){project(id:$id){name tasks{id done}}}","operation_name":"Board","variables":{"id":"UHJvamVjdDo3"}}', 1778313601000, 1778313720000, 3, 0, 2, 0, 0, 1, 3, 4500, 5000);
ALTER TABLE ONLY fossick.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY fossick.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (key);
